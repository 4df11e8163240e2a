// The sizes of the usual ones of MPI's own data types, for readers of arenas: an intent (monitor/core/intent.h) holds a
// handle alone.
#pragma once

namespace andes::monitor::mpi {

/// In MPI_Init, once there is a log: asks the library.
void note_known_types();

} // namespace andes::monitor::mpi
