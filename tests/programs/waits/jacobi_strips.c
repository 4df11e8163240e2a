/* Jacobi's method for Laplace's equation on a rectangle that is cut into strips, one for each rank.
 *
 *   jacobi_strips [ROWS [ITERATIONS]]      (64 40), at most 256 rows, of 32 columns
 *
 * An iteration computes all new values, sends the edges of the strip to the neighbours and receives
 * theirs. Sending the edges first, then computing what does not need the neighbours' edges, and only
 * then receiving gives the same result (docs/tutorial.md does that).
 *
 * Every second iteration a rank also refreshes the coefficients of its strip: even ranks in even
 * iterations, odd ranks in odd ones. So each rank has its slow iterations when its neighbours have
 * fast ones. What a row costs is slept, not computed, so that it is the same on every machine:
 * 0.25 ms, and 1 ms to refresh it. With 32 rows in a strip, a fast iteration takes 8 ms and a slow
 * one 40 ms; as each rank waits for its neighbours in its fast iterations, all of them take 40 ms.
 * An edge is 256 bytes long, which MPI libraries send without waiting for the receiver.
 *
 * It is the computation that alternates: a slow network makes no late sender if ranks are in step, and a rank that
 always * has more to do is not cured by sending first. So prediction and outcome are known: sending first, 24 ms an
 iteration. */
#include <errno.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { limit = 256, columns = 32, from_above = 1, from_below = 2 };
static const double row_ms = 0.25, refresh_row_ms = 1.0;

static int rank, ranks, rows, above, below;
/* Rows 1..rows are the strip's own, 0 and rows + 1 the neighbours' or the boundary. */
static double grids[2][limit + 2][columns + 2];
static double (*grid)[columns + 2] = grids[0], (*next)[columns + 2] = grids[1];

static void work(double ms) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  long long end_ns = t.tv_sec * 1000000000LL + t.tv_nsec + (long long)(ms * 1e6);
  t.tv_sec = (time_t)(end_ns / 1000000000);
  t.tv_nsec = (long)(end_ns % 1000000000);
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR) {
  }
}

static void update(int first, int last) {
  for (int i = first; i <= last; ++i)
    for (int j = 1; j <= columns; ++j)
      next[i][j] = (grid[i - 1][j] + grid[i][j - 1] + grid[i + 1][j] + grid[i][j + 1]) / 4;
}

static void refresh_coefficients(int iteration) {
  if (iteration % 2 == rank % 2) work(rows * refresh_row_ms);
}

/* All rows that do not need the neighbours' edges. */
static void compute_inside(int iteration) {
  refresh_coefficients(iteration);
  update(2, rows - 1);
  work((rows - 2) * row_ms);
}

/* The first and the last row; then the new values are the present ones. */
static void compute_edges(void) {
  update(1, 1);
  update(rows, rows);
  work(2 * row_ms);
  double(*other)[columns + 2] = grid;
  grid = next;
  next = other;
}

static void send_edges(void) {
  MPI_Send(&grid[1][1], columns, MPI_DOUBLE, above, from_below, MPI_COMM_WORLD);
  MPI_Send(&grid[rows][1], columns, MPI_DOUBLE, below, from_above, MPI_COMM_WORLD);
}

static void receive_edges(void) {
  MPI_Recv(&grid[0][1], columns, MPI_DOUBLE, above, from_above, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Recv(&grid[rows + 1][1], columns, MPI_DOUBLE, below, from_below, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
}

static void iterate(int iteration) {
  compute_inside(iteration);
  compute_edges();
  send_edges();
  receive_edges();
}

/* The upper boundary is 1, everything else begins with 0. */
static void begin(void) {
  above = rank == 0 ? MPI_PROC_NULL : rank - 1;
  below = rank == ranks - 1 ? MPI_PROC_NULL : rank + 1;
  for (int j = 0; j <= columns + 1 && rank == 0; ++j) grids[0][0][j] = grids[1][0][j] = 1;
}

static void print_sum(void) {
  double own = 0, sum;
  for (int i = 1; i <= rows; ++i)
    for (int j = 1; j <= columns; ++j) own += grid[i][j];
  MPI_Reduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("sum of all values: %.9f\n", sum);
}

int main(int argc, char** argv) {
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int all_rows = argc > 1 ? atoi(argv[1]) : 64;
  int iterations = argc > 2 ? atoi(argv[2]) : 40;
  rows = all_rows / ranks;
  if (all_rows > limit || rows < 2 || rows * ranks != all_rows) {
    if (rank == 0)
      fprintf(stderr, "jacobi_strips: %d rows on %d ranks: give at most %d rows, two or more for "
              "each rank and the same number for all\n", all_rows, ranks, limit);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  begin();
  for (int iteration = 0; iteration < iterations; ++iteration) iterate(iteration);
  print_sum();
  MPI_Finalize();
  return 0;
}
