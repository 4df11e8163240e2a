// Ending: what becomes of the arena when the process ends by itself (signals: signals.h). It is removed once the
// run file is safe, or if nobody wants to know of this process; else it stays, and one process of each host
// says so. An arena without a file becomes one then, beside the run file that there is not.
#pragma once
#include "monitor/core/finish_outcome.h"

namespace andes {

/// The finishing library has done what it can.
void conclude(const FinishOutcome& outcome);

/// exit() or return from main, without MPI_Finalize; frames are closed.
void end_without_finalize();

} // namespace andes
