// A built program as its file shows it: how it is linked, which MPI and OpenMP it has, what of it has probes.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "postproc/inspect/linked_libraries.h"
#include "postproc/inspect/mpi_libraries.h"

namespace andes::postproc {

/// Probes that `andes cc` has put into a program, counted by its symbols.
struct ProbesInside {
  std::size_t functions = 0, loops = 0, blocks = 0; // blocks: all that is marked
  std::optional<unsigned> other_version;            // of the probes' interface, where it is not the monitor's
  bool hooks = false;                               // the compiler's: Fortran, or --hooks
  bool notes = false;                               // of functions without a probe
};

struct BuiltProgram {
  std::string path;
  std::string machine;     // "x86-64"
  bool foreign = false;    // not of this machine's processor and word size
  bool is_static = false;  // without a dynamic loader: nothing can be preloaded
  bool privileged = false; // set-user-ID or the like: the loader ignores what is preloaded
  std::string loader;      // the dynamic loader that it asks for
  LinkedLibraries libraries;
  std::vector<MpiLibrary> mpi;
  bool pmpi_init = false; // it asks for PMPI_Init or PMPI_Init_thread, and nothing for MPI_Init
  bool own_init = false;  // it defines MPI_Init or MPI_Init_thread itself: a tool, or MPI linked from archives
  std::vector<std::string> openmp; // sonames of its runtimes; "in the program" for one that is linked statically
  std::string sanitizer;           // soname of one; empty: none
  bool has_symbols = false;        // its symbol table was not stripped
  std::size_t functions = 0;       // of its own, by the symbol table
  ProbesInside probes;
  bool debug_lines = false;
  std::vector<std::string> compilers; // as its debug information names them, with their options
};

/// Nothing: the file is no ELF file that can be started or loaded.
std::optional<BuiltProgram> read_program(const std::string& path);

} // namespace andes::postproc
