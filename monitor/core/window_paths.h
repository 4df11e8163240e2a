// Call paths in a window: which visits of them are timed, and what the window adds to their sums. Most call paths of a
// large tree are not visited in most windows: after a round without visits they *rest* (window_sums.h), and nothing of
// them is read or written but their number of visits. Else the thread of the windows would, in each of them, replace
// what the program has in the caches of a core that they share (decision 301).
//
// All of it under the lock of the windows.
#pragma once
#include "monitor/core/closed_records.h"

namespace andes::monitor {

/// A window that has just ended.
struct EndedWindow {
  std::uint32_t number;
  double open_ticks, stratum_ticks;
  double seen_ticks, late_ticks; // until it was closed, and of these after it was due
  bool ends_round;
};

/// Time that the thread had a core while the window was open.
inline double open_ns_of(const Location& location) {
  return at_least(location.closed_cpu_ns - location.open_cpu_ns, 0);
}

/// Chooses which visits are timed in the window that is about to open: of some call paths, and of each in one window
/// of a round: at random, so that no two of them are always timed together.
void choose_timed(const Process& process, Location& location);

/// What the thread of the windows has taken of a thread whose core it took: core time that the kernel has charged to
/// that thread, and time in which it had no core.
struct TakenByOpener {
  double charged_ns = 0, lost_ns = 0;
};

/// Adds one location's part of a window. Returns the cost of its visits as a share of the thread's core time. The cost
/// is not part of the program's own time, to which rates of visits refer.
double add_window(const ProbeCosts& costs, Location& location, const EndedWindow& window, const TakenByOpener& taken);

/// Ends the rest of a call path, if it rests: its sums are whole again.
void end_rest(Location& location, SampleRecord& record);

/// Running mean of a call path's visits per ns of windows.
double visits_per_ns(const Location& location, const SampleRecord& record);

} // namespace andes::monitor
