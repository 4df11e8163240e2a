// The calls of an MPI that is linked into the program from archives (monitor/interface/archived_mpi.h). Part of
// libandes.so: libc only.
#pragma once
#include "monitor/interface/archived_mpi.h"

namespace andes::monitor {

/// The program's table; null: it has no MPI from archives, or none that `andes cc` has linked.
const andes_archived_mpi* archived_mpi();

/// The program's own function of that name, as the table has it; null: it has none.
void* archived_function(const char* name);

} // namespace andes::monitor
