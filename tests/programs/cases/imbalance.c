/* The rows of a triangle: row i has i elements. Each rank has a block of rows, so the last rank has the most to do. */
#include <mpi.h>

#include "work.h"

enum { rows = 32, iterations = 4 };
static const double element_ms = 0.25;
static int rank, ranks;

static void compute_row(int row) { work(row * element_ms); }

static void compute_rows(void) {
  const int share = rows / ranks;
  for (int row = rank * share; row < (rank + 1) * share; ++row) compute_row(row);
}

int main(int argc, char** argv) {
  double change = 0, largest;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 0; i < iterations; ++i) {
    compute_rows();
    MPI_Allreduce(&change, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
