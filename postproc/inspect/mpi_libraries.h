// The MPI libraries of a program: linked with it, or in it.
#pragma once
#include <string>
#include <vector>

#include "postproc/inspect/linked_libraries.h"
#include "postproc/inspect/mpi_family.h"

namespace andes::postproc {

struct MpiLibrary {
  std::string soname, path; // both empty: the program has the library in itself
  MpiFamily family = MpiFamily::unknown;
};

/// More than one is a mixture. Libraries that the program opens while it runs are not seen.
std::vector<MpiLibrary> mpi_libraries(const ElfFile& program, const LinkedLibraries& libraries);

} // namespace andes::postproc
