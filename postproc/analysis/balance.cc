// One pass over the main threads of the ranks.
#include "postproc/analysis/balance.h"

#include <algorithm>

#include "postproc/analysis/threads.h"

namespace andes::postproc {
namespace {

/// Sum and maximum over ranks of a quantity that some ranks may lack.
struct OverRanks {
  double sum = 0, max = 0;
  bool complete = true;
  void add(std::optional<double> value) {
    complete = complete && value.has_value();
    sum += value.value_or(0);
    max = std::max(max, value.value_or(0));
  }
};

std::optional<double> plus(std::optional<double> a, std::optional<double> b) {
  if (!a || !b) return {};
  return *a + *b;
}

} // namespace

std::optional<double> balance_of(double mean, double max) {
  if (max <= 0) return {};
  return mean / max;
}

Summary summary_of(const Profile& profile) {
  OverRanks compute, communication, synchronisation, tool, idle, at_end, bytes, io, read, written, core_wait;
  for (const Location& l : profile.locations) {
    if (l.thread != 0) continue;
    compute.add(l.compute_ns);
    communication.add(l.communication_ns);
    synchronisation.add(l.synchronisation_ns);
    tool.add(l.tool_ns);
    idle.add(l.idle_ns);
    at_end.add(l.wait_at_end_ns);
    bytes.add(plus(l.bytes_sent, l.bytes_received));
    io.add(l.io_ns);
    read.add(l.bytes_read);
    written.add(l.bytes_written);
    core_wait.add(l.core_wait_ns);
  }
  const double ranks = profile.ranks;
  const double percent = 100.0 / (ranks * profile.wall_s * 1e9);
  Summary s;
  s.time_s = profile.wall_s;
  s.compute_s = compute.sum * 1e-9;
  s.load_balance = balance_of(compute.sum / ranks, compute.max);
  if (const Threads threads = threads_of(profile); threads.others > 0) s.thread_load_balance = threads.load_balance;
  s.communication_balance = balance_of(communication.sum / ranks, communication.max);
  if (bytes.complete) s.bytes_balance = balance_of(bytes.sum / ranks, bytes.max);
  s.compute_percent = compute.sum * percent;
  s.communication_percent = communication.sum * percent;
  s.synchronisation_percent = synchronisation.sum * percent;
  s.tool_percent = tool.sum * percent;
  if (idle.complete) s.idle_percent = idle.sum * percent;
  if (io.complete) {
    s.io_percent = io.sum * percent;
    s.io_balance = balance_of(io.sum / ranks, io.max);
  }
  if (read.complete && written.complete) {
    s.bytes_read = read.sum;
    s.bytes_written = written.sum;
  }
  if (core_wait.complete && !profile.locations.empty()) s.core_wait_percent = core_wait.sum * percent;
  if (at_end.complete) s.wait_at_end_percent = at_end.sum * percent;
  s.init_s = longest_init_s(profile);
  s.efficiency = efficiency_of(profile);
  return s;
}

} // namespace andes::postproc
