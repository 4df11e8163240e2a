// The Fortran route under MPI libraries whose Fortran layer does not pass through the C functions
// (Open MPI): the wrapper of a Fortran name with accounting converts its arguments and calls the C wrapper,
// as the library's own layer calls PMPI_; all other names are measured around the library's entry point.
//
// Invariants: sentinels (MPI_IN_PLACE, MPI_STATUS_IGNORE ...) are recognised by address, as in the
// library; INTEGER is int; ierror may be absent (mpi_f08); a Fortran status, of either kind, has
// the content that PMPI_Status_c2f writes; indices in Fortran count from 1.
#pragma once
#include <dlfcn.h>

#include "monitor/mpi/completion.h"
#include "monitor/mpi/fortran_error.h"

extern "C" {
[[gnu::weak]] extern int mpi_fortran_bottom_;
[[gnu::weak]] extern int mpi_fortran_in_place_;
[[gnu::weak]] extern int mpi_fortran_status_ignore_;
[[gnu::weak]] extern int mpi_fortran_statuses_ignore_;
[[gnu::weak]] extern int mpi_fortran_unweighted_;
[[gnu::weak]] extern int mpi_fortran_weights_empty_;
}

namespace andes::monitor::mpi {

static_assert(sizeof(MPI_Fint) == sizeof(int), "Fortran INTEGER is not int: no Fortran wrappers");
constexpr int status_ints = sizeof(MPI_Status) / sizeof(int);

inline void* buffer_from_fortran(void* buffer) {
  if (buffer == &mpi_fortran_in_place_) return MPI_IN_PLACE;
  if (buffer == &mpi_fortran_bottom_) return MPI_BOTTOM;
  return buffer;
}

inline int* weights_from_fortran(int* weights) {
  if (weights == &mpi_fortran_unweighted_) return MPI_UNWEIGHTED;
  if (weights == &mpi_fortran_weights_empty_) return MPI_WEIGHTS_EMPTY;
  return weights;
}

inline MPI_Group from_fortran(const int* f, MPI_Group) { return PMPI_Group_f2c(*f); }
inline MPI_Comm from_fortran(const int* f, MPI_Comm) { return PMPI_Comm_f2c(*f); }
inline MPI_Datatype from_fortran(const int* f, MPI_Datatype) { return PMPI_Type_f2c(*f); }
inline MPI_Op from_fortran(const int* f, MPI_Op) { return PMPI_Op_f2c(*f); }
inline MPI_Win from_fortran(const int* f, MPI_Win) { return PMPI_Win_f2c(*f); }
inline MPI_Errhandler from_fortran(const int* f, MPI_Errhandler) { return PMPI_Errhandler_f2c(*f); }
inline MPI_File from_fortran(const int* f, MPI_File) { return PMPI_File_f2c(*f); }
inline MPI_Info from_fortran(const int* f, MPI_Info) { return PMPI_Info_f2c(*f); }
#if MPI_VERSION >= 4
inline MPI_Session from_fortran(const int* f, MPI_Session) { return PMPI_Session_f2c(*f); }
#endif
inline MPI_Request from_fortran(const int* f, MPI_Request) { return PMPI_Request_f2c(*f); }

/// The library's value of .TRUE., which depends on the compiler it was built for; taken from MPI_Initialized.
inline int fortran_true() {
  static int value; // every thread that computes it gets the same
  if (!value) {
    int flag = 0, error = 0;
    auto initialized = reinterpret_cast<void (*)(int*, int*)>(dlsym(RTLD_DEFAULT, "pmpi_initialized_"));
    if (initialized) initialized(&flag, &error);
    value = flag ? flag : 1;
  }
  return value;
}

/// Conversions of arguments that MPI writes: the C wrapper gets `c`; back() converts the result.
struct FortranRequest {
  FortranRequest(int* f, bool in) : fortran(f), value(in ? PMPI_Request_f2c(*f) : MPI_REQUEST_NULL) {}
  MPI_Request* c() { return &value; }
  void back(int result) {
    if (result == MPI_SUCCESS) *fortran = PMPI_Request_c2f(value);
  }
  int* fortran;
  MPI_Request value;
};

inline int to_fortran(MPI_Comm comm) { return PMPI_Comm_c2f(comm); }
inline int to_fortran(MPI_Errhandler handler) { return PMPI_Errhandler_c2f(handler); }
inline int to_fortran(MPI_Win win) { return PMPI_Win_c2f(win); }
inline int to_fortran(MPI_File file) { return PMPI_File_c2f(file); }
#if MPI_VERSION >= 4
inline int to_fortran(MPI_Session session) { return PMPI_Session_c2f(session); }
#endif

/// A handle that MPI writes, or reads and writes (MPI_Win_free).
template <class Handle> struct FortranHandle {
  explicit FortranHandle(const int* fortran) : value(from_fortran(fortran, Handle())) {}
  void back(int* fortran, int result) {
    if (result == MPI_SUCCESS) *fortran = to_fortran(value);
  }
  Handle value;
};

/// The types of the parts of an all-to-all, one for each partner.
struct FortranTypes {
  FortranTypes(const int* f, int partners) : values(partners) {
    for (int i = 0; i < partners && values.get(); i++) values.get()[i] = PMPI_Type_f2c(f[i]);
  }
  /// Number of ranks on the other side; 0 if the buffer is MPI_IN_PLACE.
  static int count_of(const void* buffer, const int* comm_f) {
    MPI_Comm comm = PMPI_Comm_f2c(*comm_f);
    int inter = 0, count = 0;
    if (buffer == &mpi_fortran_in_place_) return 0;
    PMPI_Comm_test_inter(comm, &inter);
    if (inter) PMPI_Comm_remote_size(comm, &count);
    else PMPI_Comm_size(comm, &count);
    return count;
  }
  MPI_Datatype* c() { return values.get(); }
  Scratch<MPI_Datatype> values;
};

struct FortranMessage {
  explicit FortranMessage(int* f) : fortran(f), value(PMPI_Message_f2c(*f)) {}
  MPI_Message* c() { return &value; }
  void back(int result) {
    if (result == MPI_SUCCESS) *fortran = PMPI_Message_c2f(value);
  }
  int* fortran;
  MPI_Message value;
};

struct FortranStatus {
  explicit FortranStatus(int* f) : fortran(f == &mpi_fortran_status_ignore_ ? nullptr : f) {
    if (fortran) PMPI_Status_f2c(fortran, &value); // keeps MPI_ERROR, which the call may leave unchanged
  }
  MPI_Status* c() { return fortran ? &value : MPI_STATUS_IGNORE; }
  void back(int) {
    if (fortran) PMPI_Status_c2f(&value, fortran);
  }
  int* fortran;
  MPI_Status value = {};
};

struct FortranFlag {
  explicit FortranFlag(int* f) : fortran(f) {}
  int* c() { return &value; }
  void back(int) { *fortran = value ? fortran_true() : 0; }
  int* fortran;
  int value = 0;
};

struct FortranIndex {
  explicit FortranIndex(int* f) : fortran(f) {}
  int* c() { return &value; }
  void back(int) { *fortran = value >= 0 ? value + 1 : value; }
  int* fortran;
  int value = MPI_UNDEFINED;
};

/// Indices of MPI_Waitsome: converted in place, `outcount` of them.
struct FortranIndices {
  FortranIndices(int* f, const int* outcount) : fortran(f), done(outcount) {}
  int* c() { return fortran; }
  void back(int) {
    for (int i = 0; *done != MPI_UNDEFINED && i < *done; i++) fortran[i]++;
  }
  int* fortran;
  const int* done;
};

struct FortranRequests {
  FortranRequests(int* f, int n) : fortran(f), count(n), values(n) {
    for (int i = 0; i < count && values.get(); i++) values.get()[i] = PMPI_Request_f2c(f[i]);
  }
  MPI_Request* c() { return values.get(); }
  void back(int) {
    for (int i = 0; i < count && values.get(); i++) {
      // A request that is still active keeps its Fortran number: c2f returns the existing one.
      fortran[i] = PMPI_Request_c2f(values.get()[i]);
    }
  }
  int* fortran;
  int count;
  Scratch<MPI_Request> values;
};

struct FortranStatuses {
  /// `outcount`: number of statuses that the call sets (MPI_Waitsome); null: all.
  FortranStatuses(int* f, int n, const int* outcount)
      : fortran(f == &mpi_fortran_statuses_ignore_ ? nullptr : f), count(n), done(outcount), values(fortran ? n : 0) {
    for (int i = 0; fortran && i < n && values.get(); i++) values.get()[i] = {};
  }
  MPI_Status* c() { return fortran ? values.get() : MPI_STATUSES_IGNORE; }
  void back(int) {
    int n = !done ? count : *done == MPI_UNDEFINED ? 0 : *done;
    for (int i = 0; fortran && i < n && values.get(); i++) PMPI_Status_c2f(values.get() + i, fortran + i * status_ints);
  }
  int* fortran;
  int count;
  const int* done;
  Scratch<MPI_Status> values;
};

} // namespace andes::monitor::mpi
