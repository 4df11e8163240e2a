/* Four programs for readers of a page who do not know them (tests/page/readers.py): the word of the command line chooses which fault
 * this one has. Neither names nor comments say anything of it, as the page shows both. Work is slept, so that it takes the same time on every machine. */
#include <mpi.h>
#include <string.h>

#include "../cases/work.h"

enum { steps = 10, values = 4000 };
static int rank, ranks, left, right;
static double mine[values], theirs[values];

static void set_up(double ms) { work(ms); }
static void update_edge(void) { work(2); }
static void update_inside(double ms) { work(ms); }
static void apply_sources(double ms) { work(ms); }

static void amber(void) {
  update_edge();
  if (rank == 0) {
    update_inside(30);
    for (int other = 1; other < ranks; ++other) MPI_Send(mine, 100, MPI_DOUBLE, other, 0, MPI_COMM_WORLD);
  } else {
    MPI_Recv(theirs, 100, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    update_inside(30);
  }
}

static void birch(void) {
  update_edge();
  update_inside(20);
  apply_sources(rank == ranks - 1 ? 24 : 4);
}

static void cedar(void) {
  if (rank == 0) set_up(20);
  MPI_Bcast(mine, 100, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  update_inside(40.0 / ranks);
}

static void delta(void) {
  update_inside(5);
  for (int i = 0; i < values; ++i)
    MPI_Sendrecv(&mine[i], 1, MPI_DOUBLE, right, 0, &theirs[i], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  const char* word = argc > 1 ? argv[1] : "amber";
  double norm = 1, sum;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  left = (rank + ranks - 1) % ranks;
  right = (rank + 1) % ranks;
  for (int step = 0; step < steps; ++step) {
    if (!strcmp(word, "amber")) amber();
    if (!strcmp(word, "birch")) birch();
    if (!strcmp(word, "cedar")) cedar();
    if (!strcmp(word, "delta")) delta();
    MPI_Allreduce(&norm, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
