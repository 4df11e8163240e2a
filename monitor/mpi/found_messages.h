// Messages that a matched probe (MPI_Mprobe, MPI_Improbe) has found and no call has received yet.
#pragma once
#include "monitor/mpi/events.h"

namespace andes::monitor::mpi {

/// Keeps a message between the call that has found it and the call that receives it.
void keep_message(MPI_Message message, const Ticket& ticket);
/// Empty: it was not kept.
Ticket take_message(MPI_Message message);

} // namespace andes::monitor::mpi
