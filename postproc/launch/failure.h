// Failure: what is said of a command that has failed. A signal is named where one was seen: by the kernel, by the
// launcher, or by the processes themselves, whose record recovery reads. No status of a launcher is translated: above
// 128 Open MPI ends so when it could not start the program, and hydra with 255 or with the status of a shell.
//
// Why a program was not started is found from its file on this host (postproc/inspect) and said after the run, when it
// has failed and left nothing. Before the run only one thing is said: that the program is linked with another family of
// MPI than the launcher's, since such a run does not fail. Refusing what looks wrong on this host would be a mistake:
// the program may lie on the hosts of the run alone, and binfmt_misc may run another processor's. So where another host
// may have another file, the reason is named only if the launcher itself says that it started nothing; there is no run
// then.
#pragma once
#include <optional>
#include <string>

#include "postproc/inspect/start_trouble.h"
#include "postproc/launch/process.h"

namespace andes::postproc {

/// The signal that has ended a process of the program, as the launcher's messages say; 0: they do not.
int signal_told(const std::string& stderr_end);

/// "ended with status 139 (signal 11: Segmentation fault)". `recorded`: the signal that the processes have recorded, 0
/// where there is none.
std::string ending_of(const Outcome& outcome, int recorded);

enum class Refused { none, slots, root };

/// Recognises a launcher's refusal to start in what it wrote to standard error.
Refused refusal_in(const std::string& stderr_end);

/// Whether a launcher says that the program could not be started.
bool says_not_started(const std::string& stderr_end);

/// Why no process of the program has begun its work, after a run that has left nothing. `program` is the word of the
/// command line, `launcher` what was to start it, empty where nothing stood before it. Nothing: the program was
/// started, as far as is known.
std::optional<StartTrouble> failed_start(const std::string& program, const std::string& launcher,
                                         const Outcome& outcome);

} // namespace andes::postproc
