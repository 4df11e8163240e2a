// Up to which size the MPI library sends messages eagerly, as far as the library says so.
#pragma once
#include "monitor/core/wrapper_data.h"

namespace andes::monitor::mpi {

/// To be called once MPI is initialised. `library`: all of what MPI_Get_library_version says.
andes_eager_limits eager_limits(const char* library);

} // namespace andes::monitor::mpi
