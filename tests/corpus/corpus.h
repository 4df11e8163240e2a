/* corpus.h: what the programs of the corpus share: start, the number of steps, the result.
 *
 * Every program takes one number, its steps, and its work is proportional to it. On rank 0 it prints two
 * lines: "NAME: STEPS steps, checksum X" is the same in every run with the same ranks and steps;
 * "time T s, processor time C s" is what passed between MPI_Init and MPI_Finalize, on the rank where it was
 * longest and summed over the ranks. That is the interval which andes measures, so starting and ending do
 * not blur a comparison of short runs.
 */
#ifndef ANDES_TESTS_CORPUS_H
#define ANDES_TESTS_CORPUS_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/** Whoever calls this function stays a function: the published programs have it in another file. */
#define APART __attribute__((noinline, noclone))

struct corpus {
  int rank, ranks;
  long steps;
  double began_s, began_cpu_s;
};

static inline double corpus_seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/** MPI_Init, and the number of steps; without one the program says so and ends with status 2. */
static inline struct corpus corpus_start(int *argc, char ***argv) {
  struct corpus c;
  char *end = NULL;
  MPI_Init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &c.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &c.ranks);
  c.steps = *argc == 2 ? strtol((*argv)[1], &end, 10) : 0;
  if (c.steps < 1 || *end != 0) {
    if (c.rank == 0) fprintf(stderr, "%s: no number of steps; write %s STEPS\n", (*argv)[0], (*argv)[0]);
    MPI_Finalize();
    exit(2);
  }
  c.began_s = corpus_seconds(CLOCK_MONOTONIC);
  c.began_cpu_s = corpus_seconds(CLOCK_PROCESS_CPUTIME_ID);
  return c;
}

/** Prints the sum of `checksum` over the ranks and ends MPI; the exit status of the program. */
static inline int corpus_end(const struct corpus *c, const char *name, double checksum) {
  double time = corpus_seconds(CLOCK_MONOTONIC) - c->began_s, longest = 0, sums[2] = {0, 0};
  double own[2] = {checksum, corpus_seconds(CLOCK_PROCESS_CPUTIME_ID) - c->began_cpu_s};
  MPI_Reduce(own, sums, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(&time, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (c->rank == 0) {
    printf("%s: %ld steps, checksum %.12g\n", name, c->steps, sums[0]);
    printf("time %.6f s, processor time %.6f s\n", longest, sums[1]);
    if (!(sums[0] - sums[0] == 0)) { /* not finite: arithmetic with such numbers has times of its own */
      fprintf(stderr, "%s: the checksum is not finite; the program is unstable\n", name);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
  }
  MPI_Finalize();
  return 0;
}

/** Ranks before and after this one in a row, MPI_PROC_NULL at its ends. */
static inline int corpus_before(const struct corpus *c) { return c->rank > 0 ? c->rank - 1 : MPI_PROC_NULL; }
static inline int corpus_after(const struct corpus *c) {
  return c->rank + 1 < c->ranks ? c->rank + 1 : MPI_PROC_NULL;
}

/** Pseudo-random numbers in [0, 1), the same everywhere (Lehmer, multiplier of L'Ecuyer 1999). */
static inline double corpus_random(unsigned long *state) {
  *state = *state * 1181783497276652981UL + 1;
  return (double)(*state >> 11) * 0x1p-53;
}

#endif
