// Conclusion: the end of a sweep, once no run is left.
#pragma once
#include "postproc/launch/sweep_state.h"

namespace andes::postproc {

/// The cost of measuring over the pairs of each size: said, and noted in the run files.
void conclude_overhead(SweepState& state);

/// Says what was written, what is wrong with it, and what to type next.
void conclude(const SweepState& state);

} // namespace andes::postproc
