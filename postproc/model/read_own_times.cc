// One pass over the values of a file, however many call paths are wanted.
#include "postproc/model/read_own_times.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "postproc/model/values.h"

namespace andes::postproc {

OwnTimes own_times_of_ranks(const Profile& profile, const std::vector<bool>& wanted) {
  OwnTimes times;
  std::map<int, std::size_t> place_of_rank;
  for (const Location& location : profile.locations)
    if (location.thread == 0 && location.has_values) {
      place_of_rank[location.rank] = times.ranks.size();
      times.ranks.push_back(location.rank);
    }
  const auto in_team = [](const Location& location) { return location.parallel_ns.value_or(0) > 0; };
  std::vector<int> place(profile.locations.size(), -1), team_size(times.ranks.size());
  for (std::size_t i = 0; i < place.size(); ++i) {
    const Location& location = profile.locations[i];
    const auto rank = place_of_rank.find(location.rank);
    if (rank == place_of_rank.end()) continue;
    place[i] = static_cast<int>(rank->second);
    team_size[rank->second] += in_team(location);
  }
  times.own_ns.resize(profile.callpaths.size());
  times.teams.resize(profile.callpaths.size());
  for (std::size_t path = 0; path < wanted.size(); ++path)
    if (wanted[path]) times.own_ns[path].resize(times.ranks.size()), times.teams[path].resize(times.ranks.size());
  std::map<std::pair<std::size_t, std::size_t>, std::vector<double>> of_threads; // by call path in a region, rank
  const std::vector<int> regions = outermost_regions(profile);
  const Database db(profile.file);
  const auto add = [&](const Value& value) {
    if (place[value.location] < 0) return;
    const Location& location = profile.locations[value.location];
    const auto at = static_cast<std::size_t>(place[value.location]);
    if (location.thread == 0) times.own_ns[value.callpath][at] += value.value;
    if (regions[value.callpath] < 0 || !in_team(location)) return;
    of_threads[{value.callpath, at}].push_back(value.value);
  };
  each_value(db, profile, metric_numbers(db, profile), add,
             [&](std::size_t path, int metric) { return metric == run_file::exclusive_ns && wanted[path]; });
  for (std::size_t path = 0; path < wanted.size(); ++path)
    for (std::size_t rank = 0; rank < times.teams[path].size(); ++rank) {
      const double own_ns = times.own_ns[path][rank];
      TeamTimes& team = times.teams[path][rank];
      team = {own_ns, own_ns, own_ns};
      if (regions[path] < 0) continue;
      const std::vector<double>& all = of_threads[{path, rank}]; // of those that have done anything
      const bool each = static_cast<int>(all.size()) == team_size[rank] && !all.empty();
      team.least_ns = each ? *std::ranges::min_element(all) : 0;
      team.most_ns = all.empty() ? 0 : *std::ranges::max_element(all);
      team.sum_ns = std::accumulate(all.begin(), all.end(), 0.0);
    }
  return times;
}

} // namespace andes::postproc
