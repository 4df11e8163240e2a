/* Known answer: work that grows with the number of ranks, and nothing serial at all.
 *
 *   growing [TOTAL_MS [GROWTH_PERCENT]]      (4000 5)
 *
 * Every rank sleeps TOTAL/p * (1 + g (p - 1)), g = GROWTH_PERCENT/100. Total computation is
 * TOTAL (1 + g (p - 1)), speedup p/(1 + g (p - 1)), and the serial fraction that this growth
 * alone explains is (1/A - 1/p)/(1 - 1/p) = g at every p: 0.05. In seconds:
 *   T(1) = 4, T(2) = 2.1, T(4) = 1.15, T(8) = 0.675.
 */
#include <mpi.h>
#include <stdlib.h>

#include "clock.h"

static void share(double milliseconds) { sleep_ms(milliseconds); }

int main(int argc, char** argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  clocks_begin();
  IN_MPI(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  IN_MPI(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
  double total_ms = argc > 1 ? atof(argv[1]) : 4000.0;
  double growth = (argc > 2 ? atof(argv[2]) : 5.0) / 100.0;
  share(total_ms / ranks * (1.0 + growth * (ranks - 1)));
  IN_MPI(MPI_Barrier(MPI_COMM_WORLD));
  clocks_print(rank);
  MPI_Finalize();
  return 0;
}
