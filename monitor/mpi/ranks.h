// Ranks of communicators and windows as ranks of MPI_COMM_WORLD, which number the rows and columns
// of the communication matrix. MPI_COMM_WORLD itself costs a comparison; other communicators have
// a table each, made at the first message, freed by MPI with the communicator (an attribute's
// delete callback), remembered per thread while the same communicator is used again.
#pragma once
#include <mpi.h>

namespace andes::mpi {

int translate(MPI_Comm comm, int rank);

/// Rank in MPI_COMM_WORLD of `rank` in `comm` (of the remote group of an inter-communicator), or
/// negative: no such process in this world, or none at all (MPI_PROC_NULL).
inline int world_rank(MPI_Comm comm, int rank) {
  return comm == MPI_COMM_WORLD || rank < 0 ? rank : translate(comm, rank);
}

void forget_ranks(); // at the end: frees all tables

} // namespace andes::mpi
