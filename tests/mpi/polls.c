/* polls.c: rank 1 polls for messages that rank 0 sends it about every 4 ms, in turn by MPI_Test, MPI_Testall,
 * MPI_Testany and MPI_Testsome, some millions of polls in all. It prints "polls FUNCTION N", and how many bytes came
 * by each. An argument: threads are allowed. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { ROUNDS = 100, REQUESTS = 3, BYTES = 1000 };
enum { ONE, ALL, ANY, SOME, WAYS };
static const char *const names[WAYS] = {"MPI_Test", "MPI_Testall", "MPI_Testany", "MPI_Testsome"};

/* How many requests the poll has completed. */
static int poll(int way, MPI_Request *requests) {
  int flag = 0, index, count, indices[REQUESTS];
  switch (way) {
  case ONE:
    for (index = 0; index < REQUESTS && requests[index] == MPI_REQUEST_NULL; ++index) continue;
    MPI_Test(&requests[index], &flag, MPI_STATUS_IGNORE);
    return flag;
  case ALL: MPI_Testall(REQUESTS, requests, &flag, MPI_STATUSES_IGNORE); return flag * REQUESTS;
  case ANY: MPI_Testany(REQUESTS, requests, &index, &flag, MPI_STATUS_IGNORE); return flag;
  default: MPI_Testsome(REQUESTS, requests, &count, indices, MPI_STATUSES_IGNORE); return count;
  }
}

int main(int argc, char **argv) {
  static char data[REQUESTS][BYTES];
  MPI_Request requests[REQUESTS];
  long polls[WAYS] = {0};
  int rank, provided;
  if (argc > 1) MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  else MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int round = 0; round < WAYS * ROUNDS; ++round) {
    const int way = round % WAYS;
    if (rank == 0) {
      const double end = MPI_Wtime() + 0.004;
      while (MPI_Wtime() < end) continue;
      for (int i = 0; i < REQUESTS; ++i) MPI_Send(data[i], BYTES, MPI_CHAR, 1, i, MPI_COMM_WORLD);
    } else {
      for (int i = 0; i < REQUESTS; ++i)
        MPI_Irecv(data[i], BYTES, MPI_CHAR, i == 0 ? MPI_ANY_SOURCE : 0, i, MPI_COMM_WORLD, &requests[i]);
      for (int open = REQUESTS; open > 0; ++polls[way]) open -= poll(way, requests);
    }
  }
  for (int way = 0; rank == 1 && way < WAYS; ++way)
    printf("polls %s %ld %d\n", names[way], polls[way], ROUNDS * REQUESTS * BYTES);
  MPI_Finalize();
  return 0;
}
