/* A table of results in a window of rank 0: each rank locks it, computes its result, and puts it in. */
#include <mpi.h>

#include "work.h"

enum { results = 10 };
static int rank;
static double table[64];

static void compute_result(void) { work(8); }

static void put_result(MPI_Win window, int place) {
  const double result = rank;
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
  compute_result();
  MPI_Put(&result, 1, MPI_DOUBLE, 0, place, 1, MPI_DOUBLE, window);
  MPI_Win_unlock(0, window);
}

int main(int argc, char** argv) {
  MPI_Win window;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_create(table, sizeof table, sizeof table[0], MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  for (int i = 0; i < results; ++i) put_result(window, 4 * i + rank);
  MPI_Win_free(&window);
  MPI_Finalize();
}
