// The neighbours of a communicator with a topology (grid, graph, distributed graph): the ranks whose data its
// neighbourhood collectives bring to this rank, so that the exchange at the end knows for whom a rank waits. They are
// asked for once, when a communicator is first seen; MPI answers from local data. The list travels
// with the rank's part to the owner of the operation, who answers with the last neighbour that has data. Rejected:
// sending each part to all neighbours, a second path for collectives.
#pragma once
#include <mpi.h>

namespace andes::monitor::mpi {

struct Neighbours {
  const int* ranks; // in the communicator; kept until the end
  unsigned count;
};

/// Empty: `comm` has no topology, no rank sends to this one, or memory is short.
Neighbours sources_of(MPI_Comm comm);

} // namespace andes::monitor::mpi
