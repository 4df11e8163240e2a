// Of several call paths of the run that may have the work those are taken whose callers are the same for the longest
// way, from the function on: a helper that `solve` and `print` call stays with each of them if these have moved.
#include "postproc/analysis/moved_work.h"

#include <map>

#include "postproc/analysis/build_tree.h"
#include "postproc/analysis/paths.h"

namespace andes::postproc {
namespace {

using Numbers = std::vector<std::size_t>;

/// For how many steps two call paths have the same regions, from their ends on.
int steps_in_common(const std::vector<WorkPlace>& places, std::size_t a, std::size_t b) {
  int steps = 0;
  int one = static_cast<int>(a), other = static_cast<int>(b);
  while (one >= 0 && other >= 0) {
    const WorkPlace &left = places[static_cast<std::size_t>(one)], &right = places[static_cast<std::size_t>(other)];
    if (left.region != right.region) break;
    ++steps;
    one = left.parent;
    other = right.parent;
  }
  return steps;
}

Numbers nearest_places(const std::vector<WorkPlace>& places, std::size_t from, const Numbers& candidates) {
  Numbers best;
  int most = 0;
  for (const std::size_t to : candidates) {
    const int steps = steps_in_common(places, from, to);
    if (steps > most) best.clear();
    if (steps < most) continue;
    most = steps;
    best.push_back(to);
  }
  return best;
}

} // namespace

std::vector<MovedWork> moved_work(const std::vector<WorkPlace>& places) {
  constexpr std::size_t most = 1'000'000; // comparisons for one region: beyond, callers tell nothing
  std::map<int, Numbers> gone, arrived; // by region
  for (std::size_t i = 0; i < places.size(); ++i) {
    const WorkPlace& place = places[i];
    if (place.at_base && !place.in_run) gone[place.region].push_back(i);
    if (place.in_run && !place.at_base) arrived[place.region].push_back(i);
  }
  std::vector<MovedWork> moved;
  for (const auto& [region, olds] : gone) {
    const auto found = arrived.find(region);
    if (found == arrived.end()) continue;
    for (const std::size_t from : olds) {
      const bool few = olds.size() * found->second.size() <= most;
      const Numbers to = few ? nearest_places(places, from, found->second) : found->second;
      double sum = 0;
      for (const std::size_t path : to) sum += *places[path].in_run;
      for (const std::size_t path : to) {
        const double share = sum > 0 ? *places[path].in_run / sum : 1.0 / static_cast<double>(to.size());
        if (share > 0) moved.push_back({static_cast<int>(from), static_cast<int>(path), share});
      }
    }
  }
  return moved;
}

std::vector<std::vector<BasePath>> base_paths(const Profile& run, const Profile& base) {
  BuildTree tree;
  const std::vector<int> of_base = add_run(tree, base), of_run = add_run(tree, run);
  std::vector<WorkPlace> places(tree.paths.size());
  std::vector<int> in_base(places.size(), -1), in_run(places.size(), -1); // numbers there
  for (std::size_t i = 0; i < places.size(); ++i)
    places[i].parent = tree.paths[i].parent, places[i].region = tree.paths[i].region;
  const auto computed = [](const Profile& profile, std::size_t path) {
    const bool computes = is_computing_kind(profile.region_of(path).kind);
    return computes ? std::optional(profile.statistic(path, run_file::exclusive_ns).sum) : std::nullopt;
  };
  for (std::size_t p = 0; p < of_base.size(); ++p) {
    in_base[static_cast<std::size_t>(of_base[p])] = static_cast<int>(p);
    places[static_cast<std::size_t>(of_base[p])].at_base = computed(base, p);
  }
  std::vector<std::vector<BasePath>> paths(of_run.size());
  for (std::size_t p = 0; p < of_run.size(); ++p) {
    const auto number = static_cast<std::size_t>(of_run[p]);
    in_run[number] = static_cast<int>(p);
    places[number].in_run = computed(run, p);
    if (in_base[number] >= 0) paths[p].push_back({in_base[number], 1});
  }
  for (const MovedWork& moved : moved_work(places))
    paths[static_cast<std::size_t>(in_run[static_cast<std::size_t>(moved.to)])].push_back(
        {in_base[static_cast<std::size_t>(moved.from)], moved.share});
  return paths;
}

} // namespace andes::postproc
