/* Known answer: Amdahl's law with a serial part.
 *
 *   serial_fraction [TOTAL_MS [SERIAL_PERCENT]]      (4000 10)
 *
 * Rank 0 sleeps the serial part while the others wait in MPI_Bcast; then every rank sleeps its
 * share of the rest. T(p) = s + (TOTAL - s)/p, with s = SERIAL_PERCENT of TOTAL. With 4000 and 10:
 *   T(1) = 4 s, T(2) = 2.2 s, T(4) = 1.3 s, T(8) = 0.85 s, T(16) = 0.625 s,
 * and the serial fraction (1/A - 1/p)/(1 - 1/p) is 0.10 at every p > 1: at most a speedup of 10.
 */
#include <mpi.h>
#include <stdlib.h>

#include "clock.h"

static void serial_part(double milliseconds) { sleep_ms(milliseconds); }

static void parallel_part(double milliseconds) { sleep_ms(milliseconds); }

static void distribute(int* parts) { IN_MPI(MPI_Bcast(parts, 1, MPI_INT, 0, MPI_COMM_WORLD)); }

static void finish(void) { IN_MPI(MPI_Barrier(MPI_COMM_WORLD)); }

int main(int argc, char** argv) {
  int rank, ranks, parts = 0;
  MPI_Init(&argc, &argv);
  clocks_begin();
  IN_MPI(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  IN_MPI(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
  double total_ms = argc > 1 ? atof(argv[1]) : 4000.0;
  double serial_ms = total_ms * (argc > 2 ? atof(argv[2]) : 10.0) / 100.0;
  if (rank == 0) {
    serial_part(serial_ms);
    parts = ranks;
  }
  distribute(&parts);
  parallel_part((total_ms - serial_ms) / parts);
  finish();
  clocks_print(rank);
  MPI_Finalize();
  return 0;
}
