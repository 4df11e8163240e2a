// Numbers of the messages that are said at most once in a process (andes_say_once), in one list for all parts of the
// monitor, so that no two share a number.
#pragma once
#include <iterator>

#include "monitor/interface/settings.h"

namespace andes::monitor {

enum Said : int {
  said_no_memory,
  said_no_arena,
  said_left,
  said_no_location, // for another thread
  said_mark,        // end of a region that is not open
  said_value,       // no room for values
  said_no_trampoline,     // for another task construct
  said_bad_transfer,
  // Of the MPI wrappers:
  said_unknown_mpi,
  said_mixed_mpi,
  said_unloadable_mpi,
  said_absent_mpi,
  said_requests, // their table is full
  said_private,  // no communicator of the monitor's own
  // Several messages of one kind: a bad value, for each setting; trouble, for each counted event.
  said_setting,
  said_event = said_setting + static_cast<int>(std::size(monitor_settings)),
  said_limit = 256
};

} // namespace andes::monitor
