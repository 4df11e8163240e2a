/* count_mpi.c: runs calls of MPI under callgrind, on one rank: count.py takes what was executed in the
 * monitor's libraries alone, so neither MPI's own instructions nor their number matter. */
#include <mpi.h>

#include "tests/counts/count_calls.h"

static MPI_Request pending;

#define ROUNDS(name, ...)                  \
  static void name(void *unused, long n) { \
    (void)unused;                          \
    for (long i = 0; i < n; ++i) {         \
      __VA_ARGS__;                         \
    }                                      \
  }
ROUNDS(wtime, MPI_Wtime())
ROUNDS(comm_rank, int rank; MPI_Comm_rank(MPI_COMM_WORLD, &rank))
ROUNDS(iprobe, int flag; MPI_Iprobe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE))
ROUNDS(test, int flag; MPI_Test(&pending, &flag, MPI_STATUS_IGNORE))
ROUNDS(send, double v = 1; MPI_Send(&v, 1, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD))
ROUNDS(barrier, MPI_Barrier(MPI_COMM_SELF))
ROUNDS(allreduce, double v = 1, sum; MPI_Allreduce(&v, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_SELF))

int main(int argc, char **argv) {
  int inbox, outbox = 0;
  MPI_Init(&argc, &argv);
  MPI_Irecv(&inbox, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &pending);
  count_calls("MPI_Wtime", wtime, 0);
  count_calls("MPI_Comm_rank", comm_rank, 0);
  count_calls("MPI_Iprobe, nothing there", iprobe, 0);
  count_calls("MPI_Test, not done", test, 0);
  count_calls("MPI_Send to MPI_PROC_NULL", send, 0);
  count_calls("MPI_Barrier on MPI_COMM_SELF", barrier, 0);
  count_calls("MPI_Allreduce on MPI_COMM_SELF", allreduce, 0);
  MPI_Send(&outbox, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
  MPI_Wait(&pending, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
