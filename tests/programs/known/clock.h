/* Time for the programs with known answers: sleeps until absolute deadlines, and the program's
 * own clocks, which tell how long it was in computation and in calls of MPI.
 *
 * A sleep is counted from the deadline of the sleep before it where one follows the other, so that
 * late wake-ups do not add up. Nothing here is instrumented (bodies in headers never are).
 */
#ifndef ANDES_TESTS_CLOCK_H
#define ANDES_TESTS_CLOCK_H
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#define CLOCK_UNUSED __attribute__((unused))

/* CLOCK_MONOTONIC in nanoseconds. */
CLOCK_UNUSED static int64_t clock_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

CLOCK_UNUSED static void sleep_until(int64_t deadline_ns) {
  struct timespec t;
  t.tv_sec = (time_t)(deadline_ns / 1000000000);
  t.tv_nsec = (long)(deadline_ns % 1000000000);
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR) {
  }
}

/* Sleeps `milliseconds` from now. */
CLOCK_UNUSED static void sleep_ms(double milliseconds) {
  sleep_until(clock_ns() + (int64_t)(milliseconds * 1e6));
}

/* Own clocks of a rank: from the return of MPI_Init to the entry into MPI_Finalize, and the part
 * of it spent in calls of MPI. */
static int64_t clock_begin_ns CLOCK_UNUSED, clock_mpi_ns CLOCK_UNUSED;

/* Counts the time of a call of MPI. */
#define IN_MPI(call)                                                                               \
  do {                                                                                             \
    int64_t clock_before_ns = clock_ns();                                                          \
    call;                                                                                          \
    clock_mpi_ns += clock_ns() - clock_before_ns;                                                  \
  } while (0)

CLOCK_UNUSED static void clocks_begin(void) { clock_begin_ns = clock_ns(); }

/* Prints `clock RANK WALL_NS COMPUTE_NS COMMUNICATION_NS`; call it just before MPI_Finalize. */
CLOCK_UNUSED static void clocks_print(int rank) {
  int64_t wall_ns = clock_ns() - clock_begin_ns;
  printf("clock %d %lld %lld %lld\n", rank, (long long)wall_ns, (long long)(wall_ns - clock_mpi_ns),
         (long long)clock_mpi_ns);
  fflush(stdout);
}

#endif
