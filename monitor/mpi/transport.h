// Messages of the monitor between ranks (struct andes_transport), on a private communicator, never with a blocking
// call: every operation is started, then tested until it is done or its deadline passes. The communicator is made in
// the same way (PMPI_Comm_idup): MPI_Comm_dup would hang the program in MPI_Init if one rank ran without the monitor.
//
// Invariants: after one failure nothing is sent or received any more and the communicator is not
// used again; MPI only gets buffers owned here, so that an abandoned message is harmless; the
// user's error handler never gets an error of the monitor.
#pragma once
#include <mpi.h>

#include "monitor/interface/transport.h"

namespace andes::monitor::mpi {

/// Makes the private communicator (collective over MPI_COMM_WORLD); false: that failed, or the
/// deadline of ANDES_GATHER_TIMEOUT_S passed because another rank does not take part.
bool open_transport();

const andes_transport* transport();

/// Frees the communicator; false if a message failed before: then nothing is freed.
bool close_transport();

/// For code that sends its own messages on it: the communicator, MPI_COMM_NULL after a failure; and a
/// function that records a failure and returns 1.
MPI_Comm private_communicator();
int transport_failed();

} // namespace andes::monitor::mpi
