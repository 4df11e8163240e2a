/* Each step rank 0 prepares the coefficients for all ranks, 5 ms; then the ranks share the cells, 40 ms in all. */
#include <mpi.h>

#include "work.h"

enum { steps = 10 };
static int rank, ranks;
static double coefficients[64];

static void prepare(void) { work(5); }

static void get_coefficients(void) {
  if (rank == 0) prepare();
  MPI_Bcast(coefficients, 64, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static void update_cells(void) { work(40.0 / ranks); }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int step = 0; step < steps; ++step) {
    get_coefficients();
    update_cells();
  }
  MPI_Finalize();
}
