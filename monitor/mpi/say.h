// Numbers of the messages that this part says at most once per process (andes_say_once).
#pragma once

namespace andes::mpi {

enum Say : int {
  say_requests = 200, // table of open requests full
  say_private,        // no private communicator
};

} // namespace andes::mpi
