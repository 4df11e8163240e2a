// Members of communicators: arrays of ranks in MPI_COMM_WORLD, one for all communicators with the same members, which
// stay until the end.
//
// Invariant: callers hold one lock (communicators.cc); what a thread has got may be read without it.
#pragma once
#include <mpi.h>

#include <cstdint>

namespace andes::monitor::mpi {

struct Members {
  Members* next;
  std::uint64_t hash;
  int size;
  int* world; // behind this record; -1: a process of another world
};

/// The members of a group, which is freed; null: memory is short.
const Members* members_of(MPI_Group group);
/// Those of both groups of an inter-communicator, the group with the lowest rank first; null: memory is short.
const Members* joined(const Members& one, const Members& other);

/// Whether their ranks are their numbers.
bool is_identity(const Members& members);
/// Whether there are processes of other worlds among them.
bool has_strangers(const Members& members);
/// The number of the member with this rank; 0 where there is none.
int place_of(const Members& members, int rank);

} // namespace andes::monitor::mpi
