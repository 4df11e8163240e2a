// One pass over the ranks. The part of the threads is a chain of sums of core time, each without one more loss;
// a factor is the quotient of neighbours, so that their product is the part itself.
#include "postproc/analysis/hybrid.h"

#include <algorithm>
#include <fmt/format.h>

namespace andes::postproc {
namespace {

/// A process of several locations; times in nanoseconds.
struct ProcessTimes {
  int threads = 1;
  double outside_mpi = 0;             // main thread: wall without the tool, without MPI outside regions
  double regions = 0;                 // main thread in parallel regions
  double busiest = 0;                 // most of a thread's time in regions outside barriers
  double busy = 0;                    // the sum of these
  double locks = 0, mpi_inside = 0;   // of all threads in regions
  double locks_outside = 0;           // main thread
  double transfer = 0, wall = 0;      // main thread
  bool transfer_known = true;
};

bool is_in_team(const Location& l) { return l.thread == 0 || l.parallel_ns.value_or(0) > 0; }

std::string location_name(const Location& l) {
  return l.thread == 0 ? fmt::format("rank {}", l.rank) : fmt::format("thread {} of rank {}", l.thread, l.rank);
}

/// Adds a thread; returns why that cannot be done, or nothing.
std::string add(ProcessTimes& process, const Location& l, bool waits_measured) {
  if (!l.lock_ns || !l.lock_outside_ns || !l.region_communication_ns || !l.region_wait_ns)
    return fmt::format("the call paths of {} are not kept (setting columns_mb), so its waits for locks and its MPI "
                       "calls in parallel regions are not known",
                       location_name(l));
  const double regions = l.parallel_ns.value_or(0);
  const double barriers = l.team_idle_ns.value_or(0) - l.apart_ns.value_or(0) - *l.lock_ns - *l.lock_outside_ns;
  const double busy = std::max(0.0, regions - std::max(0.0, barriers));
  process.busiest = std::max(process.busiest, busy);
  process.busy += busy;
  process.locks += *l.lock_ns;
  const double mpi_inside = *l.region_communication_ns + *l.region_wait_ns;
  process.mpi_inside += mpi_inside;
  if (l.thread != 0) {
    ++process.threads;
    return {};
  }
  process.regions = regions;
  process.outside_mpi = l.compute_ns + l.team_idle_ns.value_or(0) + mpi_inside;
  process.locks_outside = *l.lock_outside_ns;
  process.wall = l.wall_ns;
  process.transfer_known = waits_measured && transferring_ns(l);
  process.transfer = std::max(0.0, transferring_ns(l).value_or(l.communication_ns) - *l.region_communication_ns);
  return {};
}

/// Sums over processes; `left` is core time, from all of it outside MPI down to what was useful.
struct Sums {
  double threads = 0, time_in_cores = 0, longest = 0, ideal = 0, serial = 0;
  double outside_mpi = 0, with_serial = 0, even = 0, busy = 0, entered = 0, useful = 0;
  bool ideal_known = true;

  void add(const ProcessTimes& p) {
    const double serial_ns = p.outside_mpi - p.regions; // locks that are waited for there included
    threads += p.threads;
    serial += serial_ns - p.locks_outside;
    longest = std::max(longest, p.outside_mpi);
    ideal = std::max(ideal, p.wall - p.transfer);
    ideal_known = ideal_known && p.transfer_known;
    outside_mpi += p.threads * p.outside_mpi;
    with_serial += serial_ns + p.threads * p.regions;
    even += serial_ns + p.threads * p.busiest;
    busy += serial_ns + p.busy;
    entered += serial_ns + p.busy - p.locks - p.locks_outside;
    useful += serial_ns + p.busy - p.locks - p.locks_outside - p.mpi_inside;
  }
};

} // namespace

int team_size(const Profile& profile) {
  int largest = 1, threads = 1;
  for (const Location& l : profile.locations) {
    threads = l.thread == 0 ? 1 : threads + is_in_team(l);
    largest = std::max(largest, threads);
  }
  return largest;
}

HybridResult hybrid_of(const Profile& profile) {
  if (team_size(profile) < 2) return {};
  const bool waits_measured = why_no_waits(profile).empty();
  Hybrid h;
  h.has_mpi = !fact_text(profile, "mpi_library").empty();
  std::vector<ProcessTimes> processes;
  for (const Location& l : profile.locations) {
    if (l.thread == 0) processes.emplace_back();
    if (!is_in_team(l)) {
      ++h.threads_apart;
      h.apart_compute_s += l.compute_ns * 1e-9;
    } else if (const std::string why_not = add(processes.back(), l, waits_measured); !why_not.empty()) {
      return {{}, why_not};
    }
  }
  Sums sums;
  h.threads_min = h.threads_max = processes.front().threads;
  for (std::size_t rank = 0; rank < processes.size(); ++rank) {
    const ProcessTimes& p = processes[rank];
    // A millisecond and a thousandth for regions whose ends are seen by two threads.
    if (p.busiest > 1.001 * p.regions + 1e6)
      return {{}, fmt::format("a thread of rank {} other than its main thread opened parallel regions", rank)};
    h.threads_min = std::min(h.threads_min, p.threads);
    h.threads_max = std::max(h.threads_max, p.threads);
    sums.add(p);
  }
  if (sums.useful <= 0 || sums.longest <= 0) return {{}, "no thread of a team computed"};
  const double time_ns = profile.wall_s * 1e9;
  h.threads = sums.threads;
  h.useful_s = sums.useful * 1e-9;
  h.serial_s = sums.serial * 1e-9;
  h.parallel = sums.useful / (sums.threads * time_ns);
  h.mpi.parallel = sums.outside_mpi / (sums.threads * time_ns);
  h.mpi.load_balance = sums.outside_mpi / sums.threads / sums.longest;
  h.mpi.communication = sums.longest / time_ns;
  if (sums.ideal_known && sums.ideal > 0) {
    h.mpi.serialisation = sums.longest / sums.ideal;
    h.mpi.transfer = sums.ideal / time_ns;
  }
  h.team.parallel = sums.useful / sums.outside_mpi;
  h.team.serial_regions = sums.with_serial / sums.outside_mpi;
  h.team.barriers = sums.even / sums.with_serial;
  h.team.load_balance = sums.busy / sums.even;
  h.team.scheduling = sums.entered / sums.busy;
  h.team.mpi_in_regions = sums.useful / sums.entered;
  return {h, {}};
}

std::string hybrid_definition(bool has_mpi) {
  const std::string parallel = " x threads (sum of useful time of all threads in teams / (threads x T)). ";
  const std::string first =
      has_mpi ? "parallel = MPI" + parallel +
                    "MPI: time of the main threads outside MPI, with whole parallel regions, weighted by threads / T = "
                    "load balance (mean / max) x communication (max / T). "
              : "parallel = program" + parallel + "Program: time of the main thread without that of andes / T. ";
  return first +
         "Threads = serial regions (other threads are idle while the main thread computes outside parallel "
         "regions) x team balance (mean / max of the threads' time in regions outside barriers, over the run) "
         "x barriers (this maximum / time of regions: alternating imbalance, fork, join) x scheduling (time "
         "without waits for critical and ordered sections and locks)" +
         (has_mpi ? " x MPI in regions" : "");
}

} // namespace andes::postproc
