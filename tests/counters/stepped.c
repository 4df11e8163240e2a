/* Counts of teams in the steps of a phase, by libsde: on rank r the three threads j of a team count 100 s (j + 1) (r + 1)
 * in step s of three, in the region "part", and exchange a message with themselves where there is MPI; the main thread
 * counts 10 s in "work" and s in the step itself. */
#include <omp.h>
#include <sde_lib.h>
#include <stddef.h>
#include <stdio.h>
#ifdef WITH_MPI
#include <mpi.h>
#endif

#include "monitor/interface/andes.h"

static __thread long long tallied;
static long long own_tally(void *none) {
  (void)none;
  return tallied;
}

static void part(int step, int rank) {
  ANDES_REGION("part");
  tallied += 100 * step * (omp_get_thread_num() + 1) * (rank + 1);
#ifdef WITH_MPI
  int one = 1, same, tag = omp_get_thread_num();
  MPI_Sendrecv(&one, 1, MPI_INT, rank, tag, &same, 1, MPI_INT, rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
}

static void work(int step, int rank) {
  ANDES_REGION("work");
  tallied += 10 * step;
#pragma omp parallel num_threads(3)
  part(step, rank);
}

int main(int argc, char **argv) {
  int rank = 0;
  papi_handle_t library = papi_sde_init("tests");
  papi_sde_register_counter_cb(library, "own", PAPI_SDE_RO | PAPI_SDE_DELTA, PAPI_SDE_long_long, own_tally, NULL);
#ifdef WITH_MPI
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#else
  (void)argc, (void)argv;
#endif
  for (int step = 1; step <= 3; ++step) {
    ANDES_PHASE("step");
    tallied += step;
    work(step, rank);
  }
#ifdef WITH_MPI
  MPI_Finalize();
#endif
  if (rank == 0) puts("counted: done");
  return 0;
}
