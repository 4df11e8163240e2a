// The estimate from windows for a call path: its visits and their time while its region was closed, with intervals.
// docs/metrics.md, "Windows", has the method and its sources.
#pragma once
#include "monitor/core/window_sums.h"
#include "monitor/finish/estimate.h"

namespace andes::monitor {

struct WindowEstimate {
  double visits = 0;      // while the region was closed, including those in windows
  Distances visits_error; // by chance. Both errors together, below: at most those that windows have not seen
  Distances visits_cost; // the same for all call paths: counting them may cost more or less
  Estimate ticks = {0, 0, 0, 0, true}; // their time
};

/// Makes the estimate by both errors together no more than `at_most` too large.
void limit_below(Distances& by_chance, Distances& by_cost, double at_most);

/// All zero if no window had visits, or there was no window.
WindowEstimate estimate(const WindowSums& sums);

} // namespace andes::monitor
