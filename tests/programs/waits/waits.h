/* What the programs with known waits share: one origin of time for all ranks, calls at known times
 * after it, and a clock around each call of MPI.
 *
 * A program is a table of cases; `PROGRAM CASE` runs one of them on as many ranks as the case wants.
 * The ranks agree on the origin through PMPI_, which is not measured, so that the case's own waits
 * are the only ones; and all reach MPI_Finalize at the same time. The call paths are
 * main/CASE/function/MPI_Call. What must be found is in tests/waits/answers.py, worked out by hand
 * from the times in the programs: there ends in milliseconds `function_at(300, ...)` enters MPI
 * 300 ms after the origin.
 *
 * Each rank prints a line for every call: call RANK NAME ENTER_MS LEAVE_MS.
 */
#ifndef ANDES_TESTS_WAITS_H
#define ANDES_TESTS_WAITS_H
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "../known/clock.h"

typedef struct {
  const char* name;
  int ranks;
  int end_ms; /* when all ranks are at MPI_Finalize */
  void (*run)(void);
  int threads; /* level that MPI_Init_thread must give */
} Case;

enum { calls_kept = 256 };

static int rank, ranks;
static int64_t origin_ns;
static struct {
  const char* text;
  int64_t enter_ns, leave_ns;
} calls[calls_kept];
static int call_count;

/* Makes a call of MPI and keeps when; from one thread of the process at a time. */
#define TIMED(call)                                                                                \
  do {                                                                                             \
    int64_t timed_enter_ns = clock_ns();                                                           \
    call;                                                                                          \
    waits_keep(#call, timed_enter_ns);                                                             \
  } while (0)

CLOCK_UNUSED static void waits_keep(const char* text, int64_t enter_ns) {
  if (call_count == calls_kept) return;
  calls[call_count].text = text;
  calls[call_count].enter_ns = enter_ns;
  calls[call_count++].leave_ns = clock_ns();
}

/* Sleeps until so many milliseconds after the origin: computation. */
CLOCK_UNUSED static void at(double milliseconds) {
  sleep_until(origin_ns + (int64_t)(milliseconds * 1e6));
}

/* Finds the case that the arguments name. */
CLOCK_UNUSED static const Case* waits_case(int argc, char** argv, const Case cases[], int count) {
  for (int i = 0; i < count && argc == 2; ++i)
    if (strcmp(cases[i].name, argv[1]) == 0) return &cases[i];
  fprintf(stderr, "%s: give one of these cases:", argv[0]);
  for (int i = 0; i < count; ++i) fprintf(stderr, " %s", cases[i].name);
  fprintf(stderr, "\n");
  exit(2);
}

/* After MPI_Init: checks the number of ranks, and agrees on the origin of time. */
CLOCK_UNUSED static void waits_begin(const Case* wanted) {
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks != wanted->ranks) {
    if (rank == 0) fprintf(stderr, "%s: start it on %d ranks\n", wanted->name, wanted->ranks);
    PMPI_Abort(MPI_COMM_WORLD, 2);
  }
  PMPI_Barrier(MPI_COMM_WORLD);
  origin_ns = clock_ns() + 50000000;
  PMPI_Bcast(&origin_ns, sizeof origin_ns, MPI_BYTE, 0, MPI_COMM_WORLD);
}

/* Before MPI_Finalize. */
CLOCK_UNUSED static void waits_end(const Case* wanted) {
  for (int i = 0; i < call_count; ++i)
    printf("call %d %.*s %.2f %.2f\n", rank, (int)strcspn(calls[i].text, "("), calls[i].text,
           (double)(calls[i].enter_ns - origin_ns) / 1e6,
           (double)(calls[i].leave_ns - origin_ns) / 1e6);
  fflush(stdout);
  at(wanted->end_ms);
}

/* All of main; without a probe, as call paths are main/CASE/... */
__attribute__((unused, no_instrument_function)) static int run_case(int argc, char** argv, const Case cases[], int count) {
  const Case* wanted = waits_case(argc, argv, cases, count);
  int provided;
  MPI_Init_thread(&argc, &argv, wanted->threads, &provided);
  if (provided < wanted->threads) MPI_Abort(MPI_COMM_WORLD, 3);
  waits_begin(wanted);
  wanted->run();
  waits_end(wanted);
  MPI_Finalize();
  return 0;
}

#define CASES(table) table, (int)(sizeof table / sizeof table[0])

#endif
