// One pass over the values of a file, however many call paths are wanted.
#include "postproc/model/read_own_times.h"

#include "postproc/model/values.h"

namespace andes::postproc {

OwnTimes own_times_of_ranks(const Profile& profile, const std::vector<bool>& wanted) {
  OwnTimes times;
  std::vector<int> place(profile.locations.size(), -1);
  for (std::size_t i = 0; i < place.size(); ++i) {
    const Location& location = profile.locations[i];
    if (location.thread != 0 || !location.has_values) continue;
    place[i] = static_cast<int>(times.ranks.size());
    times.ranks.push_back(location.rank);
  }
  times.own_ns.resize(profile.callpaths.size());
  for (std::size_t path = 0; path < wanted.size(); ++path)
    if (wanted[path]) times.own_ns[path].resize(times.ranks.size());
  const Database db(profile.file);
  const auto add = [&](const Value& value) {
    if (const int at = place[value.location]; at >= 0)
      times.own_ns[value.callpath][static_cast<std::size_t>(at)] += value.value;
  };
  each_value(db, profile, metric_numbers(db, profile), add,
             [&](std::size_t path, int metric) { return metric == run_file::exclusive_ns && wanted[path]; });
  return times;
}

} // namespace andes::postproc
