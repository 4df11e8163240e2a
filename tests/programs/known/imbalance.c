/* Known answer: load imbalance.
 *
 *   imbalance [STEP_MS]      (200)
 *
 * Rank r sleeps (r + 1) * STEP in work(), all meet in a barrier. So the mean of work() over the
 * ranks is (p + 1)/2 steps, its maximum p steps and its load balance (p + 1)/(2 p):
 *   p = 2: 0.75, p = 4: 0.625, p = 8: 0.5625, p = 16: 0.53125.
 * even() sleeps STEP on every rank: its load balance is 1.
 */
#include <mpi.h>
#include <stdlib.h>

#include "clock.h"

static void even(double step_ms) { sleep_ms(step_ms); }

static void work(int rank, double step_ms) { sleep_ms((rank + 1) * step_ms); }

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  clocks_begin();
  IN_MPI(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  double step_ms = argc > 1 ? atof(argv[1]) : 200.0;
  even(step_ms);
  work(rank, step_ms);
  IN_MPI(MPI_Barrier(MPI_COMM_WORLD));
  clocks_print(rank);
  MPI_Finalize();
  return 0;
}
