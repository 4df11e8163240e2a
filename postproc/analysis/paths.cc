// The key of a call path is its parent's key and its region's name and file; siblings with the same
// key (a template's instances, say) are told apart by their order.
#include "postproc/analysis/paths.h"

#include <algorithm>
#include <map>

#include "postproc/analysis/balance.h"

namespace andes {
namespace {

std::vector<std::string> keys_of(const Profile& profile) {
  std::vector<std::string> keys;
  std::map<std::string, int> seen;
  for (const CallPath& path : profile.callpaths) {
    const Region& region = profile.regions[static_cast<std::size_t>(path.region)];
    std::string key = path.parent < 0 ? "" : keys[static_cast<std::size_t>(path.parent)] + '\x01';
    key += region.name + '\x02' + region.file;
    if (const int count = ++seen[key]; count > 1) key += '\x03' + std::to_string(count);
    keys.push_back(std::move(key));
  }
  return keys;
}

std::vector<PathShare> shares_of(const Profile& profile) {
  using namespace run_file;
  const double percent = 100.0 / (profile.ranks * profile.wall_s * 1e9);
  std::vector<PathShare> shares(profile.callpaths.size());
  for (std::size_t i = 0; i < shares.size(); ++i) {
    PathShare& s = shares[i];
    const double inclusive = profile.statistic(i, inclusive_ns).sum * percent;
    s.inclusive_percent = inclusive;
    s.own_percent += profile.statistic(i, exclusive_ns).sum * percent;
    s.communication_percent = profile.statistic(i, communication_ns).sum * percent;
    s.synchronisation_percent = profile.statistic(i, synchronisation_ns).sum * percent;
    s.exclusive_mean_s = profile.statistic(i, exclusive_ns).mean * 1e-9;
    const Statistic& computation = profile.statistic(i, computation_ns);
    s.load_balance = balance_of(computation.mean, computation.max);
    const Statistic& communication = profile.statistic(i, communication_ns);
    s.communication_balance = balance_of(communication.mean, communication.max);
    const CallPath& path = profile.callpaths[i];
    const Region& region = profile.regions[static_cast<std::size_t>(path.region)];
    if (path.parent >= 0 && is_mpi_kind(region.kind))
      shares[static_cast<std::size_t>(path.parent)].own_percent += inclusive;
  }
  return shares;
}

} // namespace

std::vector<std::string> path_of(const Profile& profile, int callpath) {
  std::vector<std::string> names;
  for (int at = callpath; at >= 0; at = profile.callpaths[static_cast<std::size_t>(at)].parent) {
    const CallPath& path = profile.callpaths[static_cast<std::size_t>(at)];
    if (path.parent < 0 && !names.empty()) break; // the root names only itself
    names.push_back(profile.regions[static_cast<std::size_t>(path.region)].name);
  }
  std::reverse(names.begin(), names.end());
  return names;
}

std::vector<PathRow> side_by_side(const std::vector<Profile>& runs) {
  std::map<std::string, PathRow> rows;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const std::vector<std::string> keys = keys_of(runs[r]);
    const std::vector<PathShare> shares = shares_of(runs[r]);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const CallPath& path = runs[r].callpaths[i];
      const Region& region = runs[r].regions[static_cast<std::size_t>(path.region)];
      PathRow& row = rows[keys[i]];
      if (row.runs.empty()) {
        row.path = path_of(runs[r], static_cast<int>(i));
        row.root = path.parent < 0;
        row.runs.resize(runs.size());
      }
      // The last run's place in the source stands: in a comparison, the newer build's.
      row.kind = region.kind;
      row.file = region.file;
      row.line = region.line;
      row.runs[r] = shares[i];
    }
  }
  std::vector<PathRow> sorted;
  for (auto& [key, row] : rows) sorted.push_back(std::move(row));
  return sorted;
}

} // namespace andes
