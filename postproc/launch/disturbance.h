// Disturbance: what else happened to a run on this host, as facts that may explain why one repeat was slow.
//
// All of it is read from outside the run: totals of the kernel before and after, the resource usage of the command and
// its descendants from wait4, migrations by a counter of the kernel that descendants inherit (off unless the kernel
// permits it), and the frequency of a few cores every two seconds. The program takes no part. Ranks on other hosts are
// not seen. What a machine does not tell is absent.
#pragma once
#include <sys/resource.h>

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace andes::postproc {

struct Disturbance {
  std::optional<std::int64_t> involuntary_switches, migrations;
  std::optional<std::int64_t> steal_ns, others_ns; // sum over cores
  std::optional<std::int64_t> throttled_ns;        // by the quota of the control group
  std::optional<double> frequency_mhz;             // of the fastest core, mean over the run
};

/// Times of all cores of the host since it was started, in the first line of /proc/stat.
struct HostTimes {
  std::int64_t busy_ns = 0, steal_ns = 0; // busy: user and kernel, interrupts too
};
std::optional<HostTimes> host_times_in(const std::string& stat, long ticks_per_second);

/// Time that a control group was kept from cores, in its cpu.stat (of either version).
std::optional<std::int64_t> throttled_ns_in(const std::string& cpu_stat);

/// Watches from its construction, before the command is started by the same thread.
class DisturbanceWatch {
public:
  DisturbanceWatch();
  ~DisturbanceWatch();
  DisturbanceWatch(const DisturbanceWatch&) = delete;
  DisturbanceWatch& operator=(const DisturbanceWatch&) = delete;
  /// At the command's end; `usage` is that of the command and its descendants.
  Disturbance end(const rusage& usage);

private:
  void sample_frequency();
  void stop();

  std::optional<HostTimes> before_;
  std::optional<std::int64_t> throttled_before_ns_;
  int migrations_ = -1; // file descriptor
  std::mutex mutex_;
  std::condition_variable ended_;
  bool is_over_ = false; // guarded by mutex_
  std::vector<double> frequencies_mhz_; // of the sampling thread, until it has ended
  std::thread sampling_;
};

} // namespace andes::postproc
