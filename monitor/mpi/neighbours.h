// The neighbours of a communicator with a topology (grid, graph, distributed graph): whose data its
// neighbourhood collectives bring to this rank, so that the exchange at the end knows for whom a rank waits.
// They are asked for once, where a communicator comes to be known; MPI answers from what it has here. The list travels
// with the rank's part to the owner of the operation, who answers with the last of them that has data. Rejected: each
// part sent to all neighbours, a second way for collectives to travel.
#pragma once
#include <mpi.h>

namespace andes::mpi {

struct Neighbours {
  const int* ranks; // in the communicator; kept until the end
  unsigned count;
};

/// None: `comm` has no topology, or nobody sends to this rank, or memory is short.
Neighbours sources_of(MPI_Comm comm);

} // namespace andes::mpi
