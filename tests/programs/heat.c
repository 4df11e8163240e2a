/* Heat in a plate that is cut into strips, one for each rank; the rows of a strip are shared by the rank's threads.
 *
 *   heat [ROWS [STEPS]]      (96 40), at most 256 rows, of 32 columns
 *
 * In each step the ranks exchange the edges of their strips, compute the new temperatures, and look for the warmest
 * row, which the main thread does alone (docs/tutorial.md changes that). What a row costs is slept, not computed, so
 * that it is the same on every machine: 0.5 ms for its new temperatures, 0.1 ms to look at it. So with p ranks of t
 * threads a step takes ROWS / p x (0.5 / t + 0.1) ms.
 */
#include <errno.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { limit = 256, columns = 32 };
static const double row_ms = 0.5, look_ms = 0.1;

static int rank, ranks, rows, above, below;
/* Rows 1..rows are the strip's own, 0 and rows + 1 the neighbours' or the boundary. */
static double plates[2][limit + 2][columns + 2];
static double (*plate)[columns + 2] = plates[0], (*next)[columns + 2] = plates[1];

/* What a thread oversleeps it makes up for in its next row. */
static void work(double ms) {
  static _Thread_local long long due_ns;
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  const long long now_ns = t.tv_sec * 1000000000LL + t.tv_nsec;
  if (now_ns - due_ns > 1000000) due_ns = now_ns; /* it has waited for others meanwhile */
  due_ns += (long long)(ms * 1e6);
  t.tv_sec = (time_t)(due_ns / 1000000000);
  t.tv_nsec = (long)(due_ns % 1000000000);
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR) {
  }
}

static void exchange_edges(void) {
  MPI_Sendrecv(&plate[1][1], columns, MPI_DOUBLE, above, 0, &plate[rows + 1][1], columns, MPI_DOUBLE, below, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(&plate[rows][1], columns, MPI_DOUBLE, below, 1, &plate[0][1], columns, MPI_DOUBLE, above, 1,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void spread(void) {
#pragma omp parallel for
  for (int i = 1; i <= rows; ++i) {
    for (int j = 1; j <= columns; ++j)
      next[i][j] = (plate[i - 1][j] + plate[i][j - 1] + plate[i + 1][j] + plate[i][j + 1]) / 4;
    work(row_ms);
  }
  double(*other)[columns + 2] = plate;
  plate = next;
  next = other;
}

static double warmest_row(void) {
  double warmest = 0;
  for (int i = 1; i <= rows; ++i) {
    double sum = 0;
    for (int j = 1; j <= columns; ++j) sum += plate[i][j];
    if (sum > warmest) warmest = sum;
    work(look_ms);
  }
  return warmest;
}

/* The upper boundary is at 1, everything else begins at 0. */
static void begin(void) {
  above = rank == 0 ? MPI_PROC_NULL : rank - 1;
  below = rank == ranks - 1 ? MPI_PROC_NULL : rank + 1;
  for (int j = 0; j <= columns + 1 && rank == 0; ++j) plates[0][0][j] = plates[1][0][j] = 1;
}

int main(int argc, char **argv) {
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int all_rows = argc > 1 ? atoi(argv[1]) : 96;
  const int steps = argc > 2 ? atoi(argv[2]) : 40;
  rows = all_rows / ranks;
  if (all_rows > limit || rows < 1 || rows * ranks != all_rows) {
    if (rank == 0)
      fprintf(stderr, "heat: %d rows on %d ranks: give at most %d rows, the same number for each rank\n", all_rows,
              ranks, limit);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  begin();
  double warmest = 0;
  for (int step = 0; step < steps; ++step) {
    exchange_edges();
    spread();
    const double own = warmest_row();
    MPI_Allreduce(&own, &warmest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  }
  if (rank == 0) printf("%d steps; warmest row: %.9f\n", steps, warmest);
  MPI_Finalize();
  return 0;
}
