// The family of an MPI library: programs and launchers of different families do not find each other. A launcher of
// the other family starts every rank as a program of its own, which is alone in its world.
#pragma once
#include <string>

#include "postproc/inspect/elf_file.h"

namespace andes::postproc {

/// MPICH's family are MPICH, Intel MPI, MVAPICH and Cray MPICH, which share one interface for starting processes.
enum class MpiFamily { unknown, open_mpi, mpich };

std::string name_of(MpiFamily family);

/// The command that starts programs of this MPI, as a message names it: mpirun.mpich and mpirun.openmpi, where such a
/// command is in PATH as on Debian, else "the mpirun of MPICH".
std::string mpirun_of(MpiFamily family);

/// By what a launcher or a compiler wrapper says of itself (--version, -show).
MpiFamily family_in_text(const std::string& text);

/// By the symbols of an MPI library, or of a program that has one in itself; unknown also where there is no MPI.
MpiFamily family_in_symbols(const ElfFile& file);

/// Whether the file itself defines the functions of MPI.
bool defines_mpi(const ElfFile& file);

} // namespace andes::postproc
