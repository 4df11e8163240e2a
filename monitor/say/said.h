// What the monitor says at most once in a process (andes_say_once): the numbers of all its parts, so that no two share one.
#pragma once
#include <iterator>

#include "monitor/interface/settings.h"

namespace andes {

enum Said : int {
  said_no_memory,
  said_no_arena,
  said_left,
  said_no_location, // for a further thread
  said_mark,        // an end of a region that is not open
  said_value,       // no room for values
  said_no_trampoline,     // for a further task construct
  said_bad_transfer,
  // Of the MPI wrappers:
  said_unknown_mpi,
  said_mixed_mpi,
  said_unloadable_mpi,
  said_absent_mpi,
  said_requests, // their table is full
  said_private,  // no communicator of the monitor's own
  // Several of one kind: a bad value of each setting, trouble with each counted event.
  said_setting,
  said_event = said_setting + static_cast<int>(std::size(monitor_settings)),
  said_limit = 256
};

} // namespace andes
