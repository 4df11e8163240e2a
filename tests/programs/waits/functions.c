/* Known answer for rules that look at functions of the program: of two ranks, rank 1 waits for a flag from 0 to 150 ms and
 * from 200 to 320 ms; from 340 ms it is 110 ms in exchange(), 100 of them in MPI_Recv; then four threads of each rank take
 * part in three parallel regions. The functions sleep by themselves: what functions below them with probes take would be
 * theirs.
 */
#include "waits.h"

#include <omp.h>

enum { regions = 3, threads = 4 };

#define SLEEP_UNTIL(milliseconds)                                                                                      \
  do {                                                                                                                 \
    int64_t until_ns = origin_ns + (int64_t)(1e6 * (milliseconds));                                                    \
    struct timespec until = {until_ns / 1000000000, until_ns % 1000000000};                                            \
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) != 0);                                        \
  } while (0)

__attribute__((noinline)) static void wait_for_flag(double milliseconds) { SLEEP_UNTIL(milliseconds); }

__attribute__((noinline)) static void exchange(void) {
  int word = 0;
  SLEEP_UNTIL(rank == 0 ? 450 : 350);
  if (rank == 0) TIMED(MPI_Send(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD));
  else TIMED(MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

static void share(void) {
  for (int region = 0; region < regions; ++region) {
#pragma omp parallel num_threads(threads)
    at(460);
  }
}

static void functions(void) {
  at(0);
  if (rank == 1) {
    wait_for_flag(150);
    at(200);
    wait_for_flag(320);
  }
  at(340);
  exchange();
  share();
}

static const Case cases[] = {{"functions", 2, 500, functions, 0}};

int main(int argc, char** argv) { return run_case(argc, argv, CASES(cases)); }
