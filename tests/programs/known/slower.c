/* Known answer: a build that takes longer than another, for the gate.
 *
 *   slower EXTRA_MS [SCALE]      on 2 ranks
 *
 * Two rounds: rank 1 prepares 10 ms more than rank 0, which waits; then both solve 30 + EXTRA_MS / 2 ms, and finish with a
 * barrier. In milliseconds, times SCALE (1): T = 2 (20 + 10 + 30) + EXTRA = 120 + EXTRA, all of it in prepare (60 on rank 1,
 * 40 on rank 0 and 20 of waiting for rank 1) and solve (60 + EXTRA on each rank). So EXTRA = 7.2 is 6 % more, in the
 * computation of solve. With `imbalance` in the place of `solve` (a third argument), EXTRA is in prepare of rank 1 alone:
 * as much more time, half of it computation of prepare, half of it waits for its imbalance.
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"

static void prepare(double milliseconds) { sleep_ms(milliseconds); }
static void solve(double milliseconds) { sleep_ms(milliseconds); }
static void meet(void) { MPI_Barrier(MPI_COMM_WORLD); }

int main(int argc, char** argv) {
  int rank;
  double extra = argc > 1 ? atof(argv[1]) : 0, scale = argc > 2 ? atof(argv[2]) : 1;
  int imbalanced = argc > 3 && strcmp(argv[3], "imbalance") == 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int round = 0; round < 2; ++round) {
    prepare(scale * (20 + (rank == 1 ? 10 + (imbalanced ? extra / 2 : 0) : 0)));
    meet();
    solve(scale * (30 + (imbalanced ? 0 : extra / 2)));
  }
  meet();
  MPI_Finalize();
  return 0;
}
