// Affinity and control groups. A quota can be set at any level above the process's own group, so
// the whole way up is looked at; version 1 shows only what is mounted, mostly the own group.
#include "postproc/launch/cores.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace andes::postproc {
namespace {

/// Cores of the affinity mask; machines may have more than the 1024 of a cpu_set_t.
int cores_of_affinity() {
  for (int most = 1024; most <= (1 << 20); most *= 2) {
    std::vector<cpu_set_t> mask(static_cast<std::size_t>(most) / CPU_SETSIZE);
    const std::size_t bytes = mask.size() * sizeof(cpu_set_t);
    if (sched_getaffinity(0, bytes, mask.data()) == 0) return CPU_COUNT_S(bytes, mask.data());
  }
  return static_cast<int>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
}

/// Quota over period, or 0 if the files are absent or say "max".
double quota(const std::filesystem::path& group) {
  double limit = 0, period = 0;
  if (std::ifstream version2(group / "cpu.max"); version2 >> limit >> period) return period > 0 ? limit / period : 0;
  std::ifstream limit_file(group / "cpu.cfs_quota_us"), period_file(group / "cpu.cfs_period_us");
  if (limit_file >> limit && period_file >> period && limit > 0 && period > 0) return limit / period;
  return 0;
}

} // namespace

int usable_cores() {
  int cores = cores_of_affinity();
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool version2 = controllers.empty();
    if (!version2 && controllers.find("cpu") == std::string::npos) continue;
    const std::filesystem::path root = version2 ? "/sys/fs/cgroup" : "/sys/fs/cgroup/cpu";
    std::filesystem::path group = root / std::filesystem::path(line.substr(second + 1)).relative_path();
    for (;; group = group.parent_path()) {
      if (const double limit = quota(group); limit > 0) cores = std::min(cores, static_cast<int>(std::ceil(limit)));
      if (group == root || group.native().size() <= root.native().size()) break;
    }
  }
  return std::max(1, cores);
}

} // namespace andes::postproc
