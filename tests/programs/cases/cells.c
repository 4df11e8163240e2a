/* The ranks share the cells of a grid, compute, and agree on the largest change: nothing to find fault with. */
#include <mpi.h>
#include <stdlib.h>

enum { cells = 1 << 20, steps = 40 };

static double update(double* values, int count) {
  double change = 0;
  for (int repeat = 0; repeat < 4; ++repeat)
    for (int i = 1; i < count - 1; ++i) {
      const double value = values[i] + 0.3 * (values[i - 1] - 2 * values[i] + values[i + 1]);
      change += (value - values[i]) * (value - values[i]);
      values[i] = value;
    }
  return change;
}

int main(int argc, char** argv) {
  int rank, ranks;
  double change, largest = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int count = cells / ranks;
  double* values = calloc((size_t)count, sizeof *values);
  values[0] = rank == 0;
  for (int step = 0; step < steps && largest > 0; ++step) {
    change = update(values, count);
    MPI_Allreduce(&change, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  }
  free(values);
  MPI_Finalize();
}
