// Ending: what happens to the arena when the process ends by itself (signals: signals.h). It is removed once the
// run file is safe, or if no run file is wanted of this process; else it stays, and one process of each host says
// so. An arena in anonymous memory is then written to a file, in the directory that the run file would be in.
#pragma once
#include "monitor/core/finish_outcome.h"

namespace andes::monitor {

/// To be called after the finishing library.
void conclude(const FinishOutcome& outcome);

/// To be called at exit() or return from main of a process that has opened MPI sessions, without MPI_Init, and has
/// closed all of them; frames are closed already.
void end_of_sessions();

/// Whether an MPI session is open, as the wrappers have told.
bool is_session_open();

/// To be called at exit() or return from main without MPI_Finalize, or with an MPI session open; frames are closed
/// already.
void end_without_finalize();

} // namespace andes::monitor
