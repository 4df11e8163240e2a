// Core waits: how long a thread was ready to run while others had its core, as the kernel counts it. Visits that are
// timed one by one contain it where it arises; of sampled ones so few are timed that hardly any is interrupted, so it would be
// missing in their estimates (docs/metrics.md, "Waiting for a core").
#pragma once
#include <cstdint>

namespace andes {

struct CoreWaits {
  double ns = 0;
  double count = 0; // stretches for which it had a core, each but the first behind such a wait
};

/// Since the thread began, from /proc; all zero where the kernel does not tell. Allocates nothing.
CoreWaits core_waits(std::int32_t thread_id);

} // namespace andes
