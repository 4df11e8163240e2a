// ReplayLog: what this rank adds to a replay of the run: the dependencies of receives on sends and of blocked sends on
// receives that were matched here or on the waits for these, epochs and locks of its windows, and its parts in
// collective operations.
//
// Invariant: the exit of a call is the same wherever the call is found, so that a call that waits for several
// operations is known to be one. Durations are logged with an error of 2^-24, so that a call may seem to end after the
// next one begins: exits are put forward by more than that.
#pragma once
#include "monitor/exchange/event_tables.h"
#include "monitor/exchange/replay.h"

namespace andes::monitor {

struct ReplayLog {
  std::vector<Dependency> dependencies;
  std::vector<Part> parts;
};

ReplayLog replay_log(const Compared& compared, const EventTables& tables, const Sites& sites, std::int32_t rank);

/// The exit of a call as a replay takes it, the same from the exit as it was logged and as it was sent (wire.h).
inline std::int64_t replayed_exit_ns(std::int64_t enter_ns, std::int64_t exit_ns) {
  const auto duration_ns = static_cast<double>(static_cast<float>(exit_ns - enter_ns));
  return enter_ns + static_cast<std::int64_t>(duration_ns * (1 - 0x1p-22));
}

} // namespace andes::monitor
