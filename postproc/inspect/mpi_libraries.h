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
  bool led_to_monitor = false; // in the program itself, linked so by `andes cc` (monitor/interface/archived_mpi.h)
};

/// Whether the program has the library in itself, and the monitor sees nothing of it.
inline bool is_hidden(const MpiLibrary& mpi) { return mpi.soname.empty() && !mpi.led_to_monitor; }

/// The remedy for a library that is hidden.
inline const char* how_to_link(const MpiLibrary& hidden) {
  return hidden.family == MpiFamily::unknown ? "link it with a shared library of MPI" : "link it by andes cc";
}

/// More than one is a mixture. Libraries that the program opens while it runs are not seen.
std::vector<MpiLibrary> mpi_libraries(const ElfFile& program, const LinkedLibraries& libraries);

} // namespace andes::postproc
