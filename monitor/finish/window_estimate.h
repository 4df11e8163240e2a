// What windows tell of a call path: its visits and their time while its region was closed, with their intervals.
// docs/metrics.md, "Windows", has the method and its sources.
#pragma once
#include "monitor/core/window_sums.h"
#include "monitor/finish/estimate.h"

namespace andes {

struct WindowEstimate {
  double visits = 0;       // while the region was closed, those in windows included
  double visits_error = 0; // from there to either end of the 95 % interval
  Estimate ticks = {0, 0, 0, 0, true}; // their time
};

/// All zero where nothing was seen in any window, or there was none.
WindowEstimate estimate(const WindowSums& sums);

} // namespace andes
