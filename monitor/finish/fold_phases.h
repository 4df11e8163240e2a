// Steps of phases, told apart and together. In a location's tree every step of a phase is a call path, with
// what is called in it below. That shows how steps differ; but whoever asks what a routine costs, or why
// ranks wait, wants all steps together, and exactly so: with the largest of the ranks' sums, which cannot be
// had from the steps' own statistics. So here, on each rank, every call path below a step gets a `folded` one
// without the step, with the sum of all steps' values. Folded ones are call paths like any other in all that
// follows; those of single steps travel beside them, and are counted nowhere else (decision 177).
//
// Invariant: the exclusive values of the call paths that are of no single step sum to the same as those of all
// did before.
#pragma once
#include "monitor/finish/profile.h"
#include "monitor/finish/reduction.h"

namespace andes {

inline constexpr const char* step_kind = "instance"; // of a region that is a step

/// Makes the folded call paths, and has waits and values refer to them where they must.
void fold_phases(Profile& profile);

/// Moves the call paths of single steps behind all others, which keep their order: those are numbered on their
/// own in the run file. After the last merge.
void put_steps_last(Reduction& reduction);

} // namespace andes
