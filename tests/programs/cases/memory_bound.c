/* Three passes over arrays that are far larger than any cache: each pass reads and writes all of them again. */
#include <mpi.h>
#include <stdlib.h>

enum { cells = 3 << 22, steps = 6 };
static double *a, *b, *c;
static int count;

static void scale(void) {
  for (int i = 0; i < count; ++i) b[i] = 3.0 * a[i];
}
static void add(void) {
  for (int i = 0; i < count; ++i) c[i] = a[i] + b[i];
}
static void triad(void) {
  for (int i = 0; i < count; ++i) a[i] = b[i] + 0.5 * c[i];
}

static void step(void) {
  scale();
  add();
  triad();
}

int main(int argc, char** argv) {
  int ranks;
  double sum, total;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  count = cells / ranks;
  a = malloc(count * sizeof *a), b = malloc(count * sizeof *b), c = malloc(count * sizeof *c);
  for (int i = 0; i < count; ++i) a[i] = b[i] = c[i] = 1e-3;
  for (int i = 0; i < steps; ++i) {
    step();
    sum = a[count / 2];
    MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  free(a), free(b), free(c);
  MPI_Finalize();
}
