// Reading running jobs from their arenas, from outside: nothing is asked of the processes.
#pragma once
#include <string>

#include "postproc/model/live.h"

namespace andes {

/// The directory of the newest job of this user in which a process is still alive; empty: none.
std::string newest_job();

/// One reading of the job in `directory`: its processes on this host, of several programs in turn only the
/// living one's. Without ranks: the job has gone, or has not begun. Throws BadInput if `required` and there
/// is no arena.
LiveJob read_live(const std::string& directory, bool required);

} // namespace andes
