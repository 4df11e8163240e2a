// The MPI libraries that this installation can measure: what its wrapper libraries are linked with.
#pragma once
#include <string>
#include <vector>

#include "postproc/inspect/mpi_family.h"

namespace andes::postproc {

struct WrapperLibrary {
  std::string path;           // of libandes-NAME.so
  std::string soname;         // of the MPI library that it was built for
  std::string mpi_path;       // where that library is; empty: the dynamic loader does not find it
  MpiFamily family = MpiFamily::unknown;
};

/// Of a directory of libraries, by name.
std::vector<WrapperLibrary> wrapper_libraries(const std::string& directory);

} // namespace andes::postproc
