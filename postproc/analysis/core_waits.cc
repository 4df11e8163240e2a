// The kernel counts a thread's waits, but not where they fell. Computation has at least those for which the thread's
// other time is too short, and at most as long as it took. The middle between both is the figure whose error is least
// in the worst case: half of their distance. In proportion to time would be too much, as calls of MPI and of OpenMP
// that wait yield the core (docs/measurements/2026-11-core-waits.md).
#include "postproc/analysis/core_waits.h"

#include <algorithm>

#include "postproc/analysis/busy_machine.h"
#include "postproc/analysis/core_time.h"

namespace andes::postproc {
namespace {

constexpr double ns_in_s = 1e-9;

enum class CoreWaitHost { none, computation, mpi, threads };

/// Which kind of time a part of a core time is, as far as threads may wait for a core in it.
CoreWaitHost host_of(const std::string& part) {
  if (part == "computation") return CoreWaitHost::computation;
  if (part == std::string("idle_") + wait_at_end) return CoreWaitHost::none; // after the thread's own time
  if (part.starts_with("communication_") || part.starts_with("idle_") || part == "input_output" ||
      part == "not_accounted")
    return CoreWaitHost::mpi;
  return part.starts_with("threads_") ? CoreWaitHost::threads : CoreWaitHost::none;
}

/// The waits of a thread, or of many, by what it did, in seconds.
struct WaitsByKind {
  double computation_s = 0, mpi_s = 0, threads_s = 0;
  double error_s = 0;
};

WaitsByKind waits_by_kind(const Location& l) {
  const double own_ns = l.wall_ns - l.tool_ns, elsewhere_ns = own_ns - l.compute_ns;
  const double waits_ns =
      std::max(0.0, std::min(*l.core_wait_ns, own_ns)); // no clamp: files of others may hold anything
  const double low_ns = std::max(0.0, waits_ns - elsewhere_ns), high_ns = std::min(waits_ns, l.compute_ns);
  const double computation_ns = (low_ns + high_ns) / 2;
  const double rest_s = (waits_ns - computation_ns) * ns_in_s;
  const double of_threads = elsewhere_ns > 0 ? std::min(1.0, l.team_idle_ns.value_or(0) / elsewhere_ns) : 0;
  return {computation_ns * ns_in_s, (1 - of_threads) * rest_s, of_threads * rest_s, (high_ns - low_ns) / 2 * ns_in_s};
}

void set_apart(CoreTime& time) {
  const CoreWaits& waits = *time.core_waits;
  for (const auto& [name, seconds] : waits.parts) {
    double& part = time.parts[name];
    if (name == "computation" && time.work && part > 0) time.work->useful_s *= 1 - seconds / part;
    part -= seconds;
  }
  double idle_s = 0, idle_waits_s = 0;
  for (const auto& [name, seconds] : waits.parts)
    if (is_idle_part(name)) idle_s += time.parts[name] + seconds, idle_waits_s += seconds;
  const double kept = idle_s > 0 ? 1 - idle_waits_s / idle_s : 1;
  for (auto& [key, origin] : time.origins) {
    if (key.first == OriginKind::end) continue;
    origin.seconds *= kept;
    for (auto& [rank, seconds] : origin.ranks) seconds *= kept;
  }
  time.parts[core_wait_part] = waits.whole_s;
}

} // namespace

std::optional<CoreWaits> core_waits_of(const Profile& profile, const std::map<std::string, double>& parts) {
  if (profile.locations.empty()) return {};
  WaitsByKind all;
  for (const Location& l : profile.locations) {
    if (!l.core_wait_ns) return {};
    const WaitsByKind one = waits_by_kind(l);
    for (auto member :
         {&WaitsByKind::computation_s, &WaitsByKind::mpi_s, &WaitsByKind::threads_s, &WaitsByKind::error_s})
      all.*member += one.*member;
  }
  std::map<CoreWaitHost, double> hosts_s;
  for (const auto& [name, seconds] : parts) hosts_s[host_of(name)] += seconds;
  CoreWaits waits;
  waits.error_s = all.error_s;
  for (const auto& [name, seconds] : parts) {
    const CoreWaitHost host = host_of(name);
    if (host == CoreWaitHost::none || seconds == 0 || hosts_s[host] <= 0) continue;
    const double of_host_s = host == CoreWaitHost::computation ? all.computation_s
                             : host == CoreWaitHost::mpi       ? all.mpi_s
                                                               : all.threads_s;
    // No more than there is: of threads that were apart, a little lies in parts that are no hosts.
    const double part_s = seconds * std::min(1.0, of_host_s / hosts_s[host]);
    waits.parts[name] = part_s;
    waits.whole_s += part_s;
  }
  return waits;
}

void set_core_waits_apart(const std::vector<CoreTime*>& runs) {
  bool matter = false;
  for (const CoreTime* run : runs) {
    if (!run->core_waits) return;
    matter = matter || run->core_waits->whole_s >= shown_core_wait_percent / 100 * run->whole_s;
  }
  if (!matter) return;
  for (CoreTime* run : runs) set_apart(*run);
}

} // namespace andes::postproc
