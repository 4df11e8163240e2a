// Whether the durations of sampled visits have so heavy a tail that their mean cannot be known from
// a sample: one whose index is two or less (infinite variance). docs/metrics.md, "Sampled times".
#pragma once
#include "monitor/core/sample.h"

namespace andes::monitor {

/// Share of the time of timed visits that lies in a heavy tail, where the histogram begins to give no evidence that it
/// is lighter than that of a Pareto distribution of index two; 0 if it is light.
double heavy_tail_share(const Sample& sample);

} // namespace andes::monitor
