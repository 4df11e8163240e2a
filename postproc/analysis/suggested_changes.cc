#include "postproc/analysis/suggested_changes.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "postproc/analysis/diagnosis.h"

namespace andes::postproc {
namespace {

/// Functions whose computation is mostly their own could be faster, and call paths that are uneven balanced.
std::vector<RoutineChange> changes_of_computation(const Profile& run, const RankWork& ranks) {
  constexpr double matters = 0.01, uneven = 1.02;
  struct Function {
    double own_s = 0, inclusive_s = 0; // means over ranks
  };
  std::map<std::string, Function> functions;
  std::vector<RoutineChange> changes;
  for (const auto& [path, work] : ranks.paths) {
    std::set<int> seen; // regions: recursion counts once
    for (int at = path; at >= 0; at = run.callpaths[static_cast<std::size_t>(at)].parent) {
      const int number = run.callpaths[static_cast<std::size_t>(at)].region;
      const Region& region = run.regions[static_cast<std::size_t>(number)];
      if (!is_probed_kind(region.kind) || !seen.insert(number).second) continue;
      functions[region.name].inclusive_s += work.mean_s;
      if (at == path) functions[region.name].own_s += work.mean_s;
    }
    const double most_s = work.own_s.empty() ? 0 : *std::max_element(work.own_s.begin(), work.own_s.end());
    if (run.callpaths[static_cast<std::size_t>(path)].parent < 0 || most_s < matters * ranks.time_s) continue;
    const std::string place = place_of_path(run, path);
    if (most_s > uneven * work.mean_s) changes.push_back({RoutineChange::Kind::balanced, place, 1});
    if (work.base_sum_s.value_or(0) > 0 && work.mean_s * run.ranks > uneven * *work.base_sum_s)
      changes.push_back({RoutineChange::Kind::parallel, place, 1});
  }
  for (const auto& [name, function] : functions)
    if (function.own_s >= 0.5 * function.inclusive_s) changes.push_back({RoutineChange::Kind::faster, name, 2});
  return changes;
}

/// The functions that call MPI where ranks wait.
std::set<std::string> waiting_places(const std::vector<Finding>& findings) {
  std::set<std::string> places;
  for (const Finding& finding : findings) {
    if (finding.path.size() < 2 || finding.cause == wait_at_end) continue;
    std::string place;
    for (std::size_t i = 0; i + 1 < finding.path.size(); ++i) place += (i == 0 ? "" : ">") + finding.path[i];
    places.insert(place);
  }
  return places;
}

} // namespace

std::vector<RoutineChange> suggested_changes(const Profile& run, const RankWork& work,
                                             const std::vector<Finding>& findings) {
  std::vector<RoutineChange> changes = changes_of_computation(run, work);
  for (const std::string& place : waiting_places(findings)) changes.push_back({RoutineChange::Kind::no_wait, place, 1});
  return changes;
}

} // namespace andes::postproc
