// Whether the durations of sampled visits have so heavy a tail that their mean cannot be known from
// a sample: one whose index is two or less (infinite variance). docs/metrics.md, "Sampled times".
#pragma once
#include "monitor/core/sample.h"

namespace andes::monitor {

/// True unless the histogram gives evidence that the tail is lighter than that of a Pareto
/// distribution of index two.
bool tail_is_heavy(const Sample& sample);

} // namespace andes::monitor
