// Steps of phases, singly and together. In a location's tree every step of a phase is a call path, with its
// callees below. That shows how steps differ. But the cost of a routine, or the reason for waits, needs the
// exact sum over all steps, including the largest of the ranks' sums, which the statistics of single steps
// cannot give. So here, on each rank, every call path below a step gets a `folded` call path without the
// step, with the sum of all steps' values. From then on folded call paths are ordinary ones; reports, diagnoses
// and comparisons know nothing of steps. Those of single steps are sent beside them, and are counted nowhere
// else: they have tables of their own (`step`, `step_statistic`), have no values of single ranks, and are the
// first to go where there are too many call paths. Folding when the file is read would be too late for the
// extremes over ranks, and every reader of the tables would have to do it.
//
// Invariant: the exclusive values of the call paths outside single steps have the same sum as those of all
// call paths before.
#pragma once
#include "monitor/finish/profile.h"
#include "monitor/finish/reduction.h"

namespace andes::monitor {

inline constexpr const char* step_kind = "instance"; // kind of a region that is a step

/// Makes the folded call paths, and changes references of waits and values to them where necessary.
void fold_phases(Profile& profile);

/// Moves the call paths of single steps behind all others, which keep their order: the run file numbers them
/// separately. To be called after the last merge.
void put_steps_last(Reduction& reduction);

} // namespace andes::monitor
