// mpi_f08 under MPICH and its derivatives. Procedures with choice buffers reach the C functions
// and are counted there; all others call PMPI_ and are measured here, around the library's own
// entry point, so that the program gets exactly the library's results. Handles are those of C (a
// structure of one integer) but for files, a status has C's layout.
#pragma once
#include "monitor/mpi/completion.h"
#include "monitor/mpi/fortran_error.h"

namespace andes::monitor::mpi {

static_assert(sizeof(MPI_Request) == sizeof(int), "handles are not integers: not MPICH's mpi_f08");

/// A status argument: `c` may be replaced by a status of ours, which the library then fills.
struct F08Status {
  explicit F08Status(int* f) : given(f) {
    bool ignored = static_cast<void*>(f) == static_cast<void*>(&MPIR_F08_MPI_STATUS_IGNORE_OBJ) ||
                   static_cast<void*>(f) == static_cast<void*>(&MPIR_F08_MPI_STATUSES_IGNORE_OBJ);
    c = ignored ? MPI_STATUS_IGNORE : reinterpret_cast<MPI_Status*>(f);
  }
  int* fortran() const { return c == MPI_STATUS_IGNORE ? given : reinterpret_cast<int*>(c); }
  int* given;
  MPI_Status* c;
};

template <class Handle> Handle from_fortran(const int* f, Handle) { return *f; }
inline MPI_File from_fortran(const int* f, MPI_File) { return PMPI_File_f2c(*f); }

/// Converts indices of requests to those of C. MPICH 4.0 counts from 0 in mpi_f08, others from 1 as
/// the standard says: the request that has become null shows which, if it is one of ours.
struct F08Index {
  F08Index(int* f, const MPI_Request* requests, int n)
      : fortran(f), after(requests), count(requests_kept() ? n : 0), before(count), values(count) {
    for (int i = 0; i < count && before.get(); i++) before.get()[i] = requests[i];
  }
  const int* c() { return values.get(); }
  bool completed(int i) const {
    return i >= 0 && i < count && before.get()[i] != MPI_REQUEST_NULL && after[i] == MPI_REQUEST_NULL;
  }
  void back(const int* outcount) {
    if (!count || !before.get() || !values.get()) return;
    int n = outcount ? *outcount : *fortran == MPI_UNDEFINED ? 0 : 1, base = 1;
    values.get()[0] = MPI_UNDEFINED;
    for (int i = 0; i < n; i++)
      if (fortran[i] == 0 || (completed(fortran[i]) && !completed(fortran[i] - 1))) base = 0;
    for (int i = 0; i < n && n <= count; i++) values.get()[i] = fortran[i] - base;
  }
  int* fortran;
  const MPI_Request* after;
  int count;
  mutable Scratch<MPI_Request> before;
  Scratch<int> values;
};

} // namespace andes::monitor::mpi
