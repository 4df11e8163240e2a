// The idle time of the file is inclusive: a call of MPI may have callbacks of the program below it, which call MPI.
#include "postproc/model/read_location_values.h"

#include <algorithm>

#include "postproc/model/values.h"

namespace andes::postproc {
namespace {

const std::string& kind_of(const Profile& profile, std::size_t path) { return profile.region_of(path).kind; }

} // namespace

LocationValues values_of_locations(const Profile& profile) {
  LocationValues values;
  std::vector<std::size_t> place(profile.locations.size());
  for (std::size_t i = 0; i < place.size(); ++i) {
    place[i] = values.locations.size();
    if (profile.locations[i].has_values) values.locations.push_back(i);
  }
  values.own_ns.resize(profile.callpaths.size());
  values.idle_ns.resize(profile.callpaths.size());
  const Database db(profile.file);
  const auto add = [&](LocationValues::Rows& rows, std::size_t path, std::size_t at, double value) {
    if (rows[path].empty()) rows[path].resize(values.locations.size());
    rows[path][at] = std::max(0.0, rows[path][at] + value);
  };
  LocationValues::Rows below = values.idle_ns; // idle time of callees
  const auto use = [&](const Value& value) {
    if (!profile.locations[value.location].has_values) return;
    const std::size_t at = place[value.location];
    if (value.metric == run_file::exclusive_ns) {
      add(values.own_ns, value.callpath, at, value.value);
      if (is_idle_kind(kind_of(profile, value.callpath))) add(values.idle_ns, value.callpath, at, value.value);
      return;
    }
    add(values.idle_ns, value.callpath, at, value.value);
    if (const int parent = profile.callpaths[value.callpath].parent;
        parent >= 0 && is_mpi_kind(kind_of(profile, static_cast<std::size_t>(parent))))
      add(below, static_cast<std::size_t>(parent), at, value.value);
  };
  each_value(db, profile, metric_numbers(db, profile), use, [&](std::size_t path, int metric) {
    return metric == run_file::exclusive_ns || (metric == path_idle_ns && is_mpi_kind(kind_of(profile, path)));
  });
  for (std::size_t path = 0; path < below.size(); ++path)
    for (std::size_t at = 0; at < below[path].size(); ++at)
      if (!values.idle_ns[path].empty()) add(values.idle_ns, path, at, -below[path][at]);
  return values;
}

} // namespace andes::postproc
