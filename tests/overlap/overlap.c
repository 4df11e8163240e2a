/* overlap.c: rank 0 sends a message to rank 1 without blocking, and both do something else meanwhile. The
 * message is too long for the libraries to have sent it when MPI_Isend returns.
 *
 *   overlap wholly | half | not | library
 *
 * wholly: 300 ms of computation; half: 100 ms; not: none; library: 100 ms and then a barrier, for which
 * rank 1 computes 150 ms longer. Each rank prints "overlap RANK COMPUTED_NS LIBRARY_NS", as measured. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static long long now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000ll + time.tv_nsec;
}

static void compute(int ms) {
  struct timespec time = {ms / 1000, ms % 1000 * 1000000l};
  nanosleep(&time, NULL);
}

int main(int argc, char** argv) {
  static char message[1 << 20];
  const char* mode = argc > 1 ? argv[1] : "";
  long long started_ns, computed_ns, library_ns = 0;
  MPI_Request request;
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) MPI_Isend(message, sizeof message, MPI_CHAR, 1, 7, MPI_COMM_WORLD, &request);
  if (rank == 1) MPI_Irecv(message, sizeof message, MPI_CHAR, 0, 7, MPI_COMM_WORLD, &request);
  started_ns = now_ns();
  if (strcmp(mode, "wholly") == 0) compute(300);
  if (strcmp(mode, "half") == 0) compute(100);
  if (strcmp(mode, "library") == 0) compute(rank == 1 ? 250 : 100);
  computed_ns = now_ns() - started_ns;
  if (strcmp(mode, "library") == 0) {
    MPI_Barrier(MPI_COMM_WORLD);
    library_ns = now_ns() - started_ns - computed_ns;
  }
  if (rank < 2) MPI_Wait(&request, MPI_STATUS_IGNORE);
  printf("overlap %d %lld %lld\n", rank, computed_ns, library_ns);
  MPI_Finalize();
  return 0;
}
