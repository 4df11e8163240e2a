/* A pipeline of blocks: rank 0 computes a block, and rank 1 needs its edge to begin its own. The edge is known as soon as
 * the first tenth of the block is done, but it is sent when all of it is. */
#include <mpi.h>

#include "work.h"

enum { blocks = 10 };
static double edge;

static void compute_edge(void) { work(4); }
static void compute_inside(void) { work(36); }

static void produce(void) {
  compute_edge();
  compute_inside();
  MPI_Send(&edge, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
}

static void consume(void) {
  MPI_Recv(&edge, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  compute_edge();
  compute_inside();
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int block = 0; block < blocks; ++block) {
    if (rank == 0) produce();
    if (rank == 1) consume();
    MPI_Bcast(&edge, 1, MPI_DOUBLE, 1, MPI_COMM_WORLD); /* the block is done on both: the next one */
  }
  MPI_Finalize();
}
