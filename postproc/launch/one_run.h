// OneRun: a single start of a sweep's command.
#pragma once
#include "postproc/launch/sweep_state.h"

namespace andes::postproc {

/// Starts the command, waits for its end and completes its run file; notes all of it in `state`. Says what went wrong;
/// throws Refusal only if the command cannot be started at all.
void run_one(SweepState& state, const Planned& planned);

} // namespace andes::postproc
