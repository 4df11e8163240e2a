// An MPI library that is linked into a program from archives. Its calls would go past the monitor, since a
// program's own functions come before those of every library: so `andes cc` links such a program with a jump in front
// of each function of MPI (preprocessor/archived_mpi.h), and with a table of these jumps, which the monitor leads to
// its own entries at the start (monitor/mpi/archived_calls.h). Decision 320.
//
// The table is written in assembler: what changes here changes there, and the version with it.
#pragma once
#include <cstdint>

extern "C" {
/// A function of MPI in the program.
struct andes_archived_call {
  const char* name; // as the linker knows it: MPI_Send, mpi_send_, mpi_send_f08_
  void** slot; // where the jump leads to; without the monitor to the function itself
  void* real; // the function itself
};

/// The table, which the program exports by this type's name.
struct andes_archived_mpi {
  std::uint32_t version, count;
  const char* wrappers; // file name of the wrapper library that fits
  const andes_archived_call* calls; // sorted by name, as strcmp compares
};
}

inline constexpr std::uint32_t archived_mpi_version = 1;
inline constexpr const char* archived_mpi_symbol = "andes_archived_mpi";
