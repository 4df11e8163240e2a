// Core loss: the waits for a core that come on top of estimated times. Timed visits in which the thread has lost its
// core are kept apart (monitor/core/core_losses.h), so an estimate from the others is time with a core. How much a
// thread has waited in all is known; it is spread over its call paths in proportion to that time, as far as timed
// visits do not tell otherwise. docs/metrics.md, "Waiting for a core", has the formulas.
#pragma once
#include <vector>

#include "monitor/core/core_losses.h"

namespace andes::monitor {

/// What a thread has lost to other threads on its core. All zero: nothing.
struct CoreLoss {
  double share = 0; // time waited, by time with a core
  double measured_share = 0; // before timed visits adjust it; tells whether a call path waits by itself
  double share_variance = 0; // of `share`
  double wait_ticks = 0; // mean length of a wait, each counted as often as it is long
  double core_ticks = 0; // time with a core
  double monitor_ticks = 0; // waits within the monitor's own work: no call path's
  bool is_noticed = false; // timed visits with waits are kept apart
};

CoreLoss core_loss(const CoreLosses& losses, double ns_per_tick);

/// The timed visits of a call path, or of several.
struct TimedVisits {
  double count = 0, ticks = 0; // without those with waits, if these are kept apart
  double waits = 0, wait_ticks = 0, wait_squares = 0; // those with waits: number, sum of durations and of their squares
};

/// The same loss with the share that timed visits of the thread's call paths suggest.
CoreLoss adjusted(const CoreLoss& loss, const std::vector<TimedVisits>& paths);

/// Waits in the estimated visits of a call path.
struct AddedWaits {
  double ticks = 0, variance = 0;
  bool is_reliable = true;
};

/// `visits`: of the call path, of which some were timed; they took `core_ticks` with a core.
AddedWaits waits_in(const CoreLoss& loss, const TimedVisits& timed, double visits, double core_ticks);

} // namespace andes::monitor
