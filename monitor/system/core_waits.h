// Core waits: the time that a thread was ready to run while other threads had its core, as counted by the kernel. Exact
// visits contain this time where it arises. Of sampled visits so few are timed that hardly any is interrupted, so the
// time would be missing in their estimates (docs/metrics.md, "Waiting for a core").
#pragma once
#include <cstdint>

namespace andes::monitor {

struct CoreWaits {
  double ran_ns = 0; // time with a core
  double ns = 0;
  double count = 0; // number of times that it got a core, each but the first after such a wait
};

/// Since the thread began, from /proc; all zero where the kernel does not count it. Allocates nothing.
CoreWaits core_waits(std::int32_t thread_id);

} // namespace andes::monitor
