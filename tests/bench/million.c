/* Messages around a ring, as many as told, then MPI_Finalize with its duration: "million RANK NS". */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static long long now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000ll + t.tv_nsec;
}

int main(int argc, char** argv) {
  int rank, ranks;
  char out[8] = {0}, in[8];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (long left = argc > 1 ? atol(argv[1]) : 1000000; left > 0; --left) {
    MPI_Request request;
    MPI_Irecv(in, 8, MPI_BYTE, (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, &request);
    MPI_Send(out, 8, MPI_BYTE, (rank + 1) % ranks, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  long long begin = now_ns();
  MPI_Finalize();
  printf("million %d %lld\n", rank, now_ns() - begin);
  return 0;
}
