// What a window has cost a thread. It is no part of the program's own time, which the visits in the window are related
// to (windows.h). Slow paths are measured one by one: they begin with cold caches, and there are many at the window's
// opening, so they take several times as long as in the loop that calibrates them. What is left are constants
// (decision 290).
#pragma once
#include "monitor/core/process.h"

namespace andes::monitor {

/// Cost of a thread's visits in a window, in ticks.
struct WindowCost {
  double measured;
  double taken; // for visits on the fast path, and for what their code and data displace in the caches
};

/// To be called when the window has been closed, under the lock of the windows; `open_ticks`: for which the thread had
/// a core meanwhile.
WindowCost cost_of_window(const ProbeCosts& costs, Location& location, double open_ticks);

/// To be called where a slow path begins, and with the result where it ends, before the clock is read for a visit that
/// it has opened; the end of a visit is such a beginning, too. 0: no window is open, and nothing is measured. The end
/// returns what the slow path has taken, with the way there and back; 0: not known.
inline std::uint64_t begin_window_work(const Process& process) {
  return load_relaxed(process.windows.open) ? ticks_now(process.clock) : 0;
}
[[gnu::cold]] double note_window_work(const Process& process, Location& location, std::uint64_t begin_ticks);
inline double end_window_work(const Process& process, Location& location, std::uint64_t begin_ticks) {
  if (begin_ticks == 0 || !load_relaxed(process.windows.open)) return 0;
  return note_window_work(process, location, begin_ticks);
}

} // namespace andes::monitor
