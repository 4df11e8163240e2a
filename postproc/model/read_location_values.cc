// The idle time of the file is inclusive: a call of MPI may have callbacks of the program below it, which call MPI.
#include "postproc/model/read_location_values.h"

#include <algorithm>
#include <functional>

#include "postproc/model/read_metric.h"
#include "postproc/model/values.h"

namespace andes::postproc {
namespace {

const std::string& kind_of(const Profile& profile, std::size_t path) { return profile.region_of(path).kind; }

} // namespace

LocationValues values_of_locations(const Profile& profile) {
  const auto is_mpi = [&](std::size_t path) { return is_mpi_kind(kind_of(profile, path)); };
  MetricByLocation own = metric_by_location(profile, run_file::exclusive_ns);
  MetricByLocation idle = metric_by_location(profile, path_idle_ns, is_mpi);
  for (std::size_t path = 0; path < idle.values.size(); ++path) { // callers first: a callee still has its callees' time
    const std::vector<double>& row = idle.values[path];
    const int parent = profile.callpaths[path].parent;
    if (row.empty() || parent < 0) continue;
    std::vector<double>& caller = idle.values[static_cast<std::size_t>(parent)];
    if (!caller.empty()) std::transform(caller.begin(), caller.end(), row.begin(), caller.begin(), std::minus<>());
  }
  for (std::size_t path = 0; path < idle.values.size(); ++path) {
    for (double& value : idle.values[path]) value = std::max(0.0, value);
    if (is_idle_kind(kind_of(profile, path))) idle.values[path] = own.values[path];
  }
  return {std::move(own.locations), std::move(own.values), std::move(idle.values)};
}

} // namespace andes::postproc
