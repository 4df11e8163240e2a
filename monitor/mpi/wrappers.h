// The interface between the entry (in libandes.so) and a wrapper library (one per MPI). Both are generated from
// functions.table; `digest` identifies the table and `layout` the shared structures, so that libraries of different
// builds are never used together. Functions are numbered in three ranges of equal length: C names, Fortran names
// (mpif.h and the mpi module), names of mpi_f08.
#pragma once
#include <cstdint>

extern "C" {
/// Exported by a wrapper library as `andes_mpi_wrappers`.
struct andes_mpi_wrappers {
  std::uint64_t digest;   ///< of functions.table
  std::uint64_t layout;   ///< monitor_layout()
  std::uint32_t count;    ///< entries of `functions`
  void* const* functions; ///< the wrapper of each, or null where there is none
  void* const* needs;     ///< the function that the wrapper calls; null: this MPI lacks it, pass through
  void** real;            ///< Fortran entry points, filled by the entry before first use
};
}
