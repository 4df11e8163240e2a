// The part of a window in which visits of a call path are timed: it is fixed before the window opens, from what earlier
// windows have shown (decision 235). Where the thread of the windows has opened the window on the core of the program's
// thread, that goes on only when the other sleeps again, some 10 us later: visits of a few nanoseconds were over their
// part by then, and never timed.
#pragma once
#include "monitor/core/tree.h"

namespace andes::monitor {

/// All in ticks.
struct WindowPlan {
  double open; // how long the window will be open
  double timed; // cost of a timed visit
  double least; // the shortest part: the thread does not go on after the same time in each window
  double back; // from the opening until the thread's visits are seen
};

/// The part for a call path of which `visits` are expected: after some that bring the probe's code into the caches, as
/// long as 4 shall take. Where there are few it is the rest of the window, however long that will be.
inline TimedPart part_for(const WindowPlan& plan, double visits) {
  constexpr double wanted = 4, most_warm_up = 4;
  const double warm_up = visits / 4 < most_warm_up ? visits / 4 : most_warm_up;
  const double each = visits > 0 ? plan.open / visits + plan.timed : 0;
  const double back = plan.back < plan.open / 2 ? plan.back : plan.open / 2;
  const double begin = back + warm_up * each, length = wanted * each;
  if (visits < warm_up + wanted) return {static_cast<std::uint64_t>(begin), TimedPart::no_end};
  return {static_cast<std::uint64_t>(begin),
          static_cast<std::uint64_t>(begin + (length > plan.least ? length : plan.least))};
}

/// The running mean of WindowPlan::back after a window whose first timed visit began at `first` (since the opening,
/// + 1; 0: there was none, and nothing is known). One far behind the mean counts little: the thread had other things to
/// do. `most`: no mean is larger.
inline double next_back(double back, std::uint64_t first, double most) {
  constexpr double weight_of_new = 1.0 / 8;
  if (first == 0) return back;
  const auto ticks = static_cast<double>(first);
  if (back == 0) return ticks < most ? ticks : most;
  const double limit = 2 * back + most / 32;
  const double next = back + weight_of_new * ((ticks < limit ? ticks : limit) - back);
  return next < most ? next : most;
}

} // namespace andes::monitor
