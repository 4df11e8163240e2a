#include "postproc/inspect/mpi_family.h"

#include "postproc/inspect/start_trouble.h"

namespace andes::postproc {

std::string name_of(MpiFamily family) {
  switch (family) {
  case MpiFamily::open_mpi: return "Open MPI";
  case MpiFamily::mpich: return "MPICH";
  case MpiFamily::unknown: break;
  }
  return "an unknown MPI";
}

std::string mpirun_of(MpiFamily family) {
  const std::string command = family == MpiFamily::open_mpi ? "mpirun.openmpi" : "mpirun.mpich";
  const bool is_there = family != MpiFamily::unknown && !find_executable(command).empty();
  return is_there ? command : "the mpirun of " + name_of(family);
}

MpiFamily family_in_text(const std::string& text) {
  for (const char* word : {"Open MPI", "OpenRTE", "PRRTE", "openmpi"})
    if (text.find(word) != std::string::npos) return MpiFamily::open_mpi;
  for (const char* word : {"HYDRA", "Intel(R) MPI", "MPICH", "mpich", "MVAPICH"})
    if (text.find(word) != std::string::npos) return MpiFamily::mpich;
  return MpiFamily::unknown;
}

MpiFamily family_in_symbols(const ElfFile& file) {
  MpiFamily family = MpiFamily::unknown;
  file.for_each_symbol([&family](const ElfSymbol& symbol) {
    if (!symbol.defined || family != MpiFamily::unknown) return;
    if (symbol.name.starts_with("ompi_mpi_")) family = MpiFamily::open_mpi;
    else if (symbol.name.starts_with("MPIR_") || symbol.name.starts_with("I_MPI_")) family = MpiFamily::mpich;
  });
  return family;
}

bool defines_mpi(const ElfFile& file) {
  // A program with MPI from archives has those functions alone that it needs.
  return file.defines({"PMPI_Init", "PMPI_Init_thread", "PMPI_Session_init"});
}

} // namespace andes::postproc
