// Sweep: the runs of one `andes run`, from the checked request to the annotated run files.
//
//   request -> sizes -> turns, one repeat of each size -> for each: start, wait, find the file, annotate (one_run.h)
//           -> intrusion over the pairs -> what was written and what to type next (conclusion.h)
//
// Everything that can be refused is refused before the first run. From then on nothing stops a
// sweep but Ctrl-C, a command that cannot be started, and a launcher that will start nothing; what
// has been written stays.
#pragma once
#include "postproc/launch/request.h"

namespace andes::postproc {

/// Runs it all. Returns the exit status: of the first command that failed (128 + signal), 1 if all
/// went well but a run file is missing or could not be completed, else 0. Throws Refusal for a bad
/// request.
int run_sweep(const Request& request);

} // namespace andes::postproc
