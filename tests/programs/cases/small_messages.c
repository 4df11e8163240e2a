/* Two ranks exchange the edges of their halves of a grid, element by element. */
#include <mpi.h>

enum { elements = 2000, steps = 100 };
static int rank;
static double mine[elements], theirs[elements];

static void exchange(void) {
  for (int i = 0; i < elements; ++i)
    MPI_Sendrecv(&mine[i], 1, MPI_DOUBLE, 1 - rank, 0, &theirs[i], 1, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

static void update(void) {
  for (int repeat = 0; repeat < 50; ++repeat)
    for (int i = 0; i < elements; ++i) mine[i] = 0.5 * mine[i] + 0.25 * theirs[i] + 1.0;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int step = 0; step < steps; ++step) {
    update();
    exchange();
  }
  MPI_Finalize();
  return mine[0] < 0;
}
