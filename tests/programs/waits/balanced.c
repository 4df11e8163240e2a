/* Known answer: nobody waits. All ranks do the same at the same times, so nothing may be found.
 *
 *   balanced CASE      the cases stand at the end, with the ranks they need
 *
 * Ten rounds of 50 ms each.
 */
#include "waits.h"

enum { rounds = 10, round_ms = 50, halo = 1024 };
static double inside[2][halo], around[2][halo];

#define WORLD MPI_COMM_WORLD

/* Each gives to the right what it gets from the left. */
static void ring(void) {
  int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
  for (int round = 1; round <= rounds; ++round) {
    at(round * round_ms);
    TIMED(MPI_Sendrecv(inside[0], halo, MPI_DOUBLE, right, 0, around[0], halo, MPI_DOUBLE, left, 0,
                       WORLD, MPI_STATUS_IGNORE));
  }
}

static void allreduce(void) {
  for (int round = 1; round <= rounds; ++round) {
    at(round * round_ms);
    TIMED(MPI_Allreduce(inside[0], around[0], 1, MPI_DOUBLE, MPI_SUM, WORLD));
  }
}

/* Both edges travel while the inside is computed. */
static void stencil(void) {
  int above = rank == 0 ? MPI_PROC_NULL : rank - 1;
  int below = rank == ranks - 1 ? MPI_PROC_NULL : rank + 1;
  for (int round = 1; round <= rounds; ++round) {
    MPI_Request requests[4];
    MPI_Status statuses[4];
    TIMED(MPI_Irecv(around[0], halo, MPI_DOUBLE, above, 1, WORLD, &requests[0]));
    TIMED(MPI_Irecv(around[1], halo, MPI_DOUBLE, below, 0, WORLD, &requests[1]));
    TIMED(MPI_Isend(inside[0], halo, MPI_DOUBLE, above, 0, WORLD, &requests[2]));
    TIMED(MPI_Isend(inside[1], halo, MPI_DOUBLE, below, 1, WORLD, &requests[3]));
    at(round * round_ms);
    TIMED(MPI_Waitall(4, requests, statuses));
  }
}

/* They come to the barrier one after the other, but wait for it only when all have come. */
static void overlapped_barrier(void) {
  MPI_Request request;
  at(50 + 50 * rank);
  TIMED(MPI_Ibarrier(WORLD, &request));
  at(rounds * round_ms);
  TIMED(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

static const Case cases[] = {
    {"ring", 4, 600, ring, 0},
    {"allreduce", 4, 600, allreduce, 0},
    {"stencil", 4, 600, stencil, 0},
    {"overlapped_barrier", 4, 600, overlapped_barrier, 0},
};

int main(int argc, char** argv) { return run_case(argc, argv, CASES(cases)); }
