#include "postproc/inspect/mpi_libraries.h"

#include "monitor/interface/archived_mpi.h"

namespace andes::postproc {

std::vector<MpiLibrary> mpi_libraries(const ElfFile& program, const LinkedLibraries& libraries) {
  std::vector<MpiLibrary> found;
  if (defines_mpi(program))
    found.push_back({"", "", family_in_symbols(program), program.defines({archived_mpi_symbol})});
  for (const LinkedLibrary& library : libraries.found)
    if (const auto file = ElfFile::open(library.path); file && defines_mpi(*file))
      found.push_back({library.soname, library.path, family_in_symbols(*file)});
  return found;
}

} // namespace andes::postproc
