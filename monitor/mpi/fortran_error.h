// The argument ierror of a Fortran entry point around which the monitor measures.
#pragma once
#include <mpi.h>

namespace andes::monitor::mpi {

/// ierror, which may be absent.
struct FortranError {
  explicit FortranError(int* f) : given(f) {}
  int* get() { return given ? given : &own; }
  int value() const { return given ? *given : own; }
  int* given;
  int own = MPI_SUCCESS;
};

} // namespace andes::monitor::mpi
