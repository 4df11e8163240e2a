/* Four ranks in a ring, whose rank 2 is killed in its sixth step: what must be left is known. Usage: known HOW.
 * Rank r hands 1000 + r bytes to its neighbour in each step; rank 0 comes 400 ms late to the third step. */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char out[2000], in[2000];

static void exchange(int rank, int ranks) {
  MPI_Request request;
  MPI_Irecv(in, sizeof in, MPI_CHAR, (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, &request);
  MPI_Send(out, 1000 + rank, MPI_CHAR, (rank + 1) % ranks, 0, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void fatal(const char *how) {
  if (!strcmp(how, "hang")) pause();
  if (!strcmp(how, "kill")) raise(SIGKILL);
  if (!strcmp(how, "segv")) *(volatile int *)8 = 1;
  if (!strcmp(how, "abort")) MPI_Abort(MPI_COMM_WORLD, 7);
  exit(4);
}

static void step(int number, int rank, int ranks, const char *how) {
  if (number == 2 && rank == 0) usleep(400000);
  if (number == 5) {
    if (rank == 2) {
      usleep(500000); /* all others are in the barrier */
      fatal(how);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  exchange(rank, ranks);
}

int main(int argc, char **argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int number = 0; number < 10; ++number) step(number, rank, ranks, argc > 1 ? argv[1] : "exit");
  MPI_Finalize();
  return 0;
}
