/* hot.c: threads made before MPI_Init that enter and leave functions all the time, while the times of all are
 * changed: at the return of MPI_Init, at MPI_Pcontrol, at the end. Prints "visits NAME N" where these are known.
 *
 *   hot TOGGLES [outlive]    as many times switched off and on; `outlive`: the threads go on beyond MPI_Finalize
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FUNCTION __attribute__((noinline)) static
enum { threads = 3 };
static volatile int enough;
static volatile long sink[threads * 16];
static long rounds[threads];

static void rest(double seconds) {
  struct timespec time = {0, (long)(1e9 * seconds)};
  nanosleep(&time, NULL);
}
FUNCTION void leaf(int thread) { sink[thread * 16]++; }
FUNCTION void middle(int thread) {
  for (int i = 0; i < 5; i++) leaf(thread);
}
FUNCTION void *spins(void *argument) {
  const int thread = *(int *)argument;
  while (!enough) {
    middle(thread);
    rounds[thread]++;
  }
  return NULL;
}

int main(int argc, char **argv) {
  const int toggles = argc > 1 ? atoi(argv[1]) : 0, outlive = argc > 2 && !strcmp(argv[2], "outlive");
  static int numbers[threads];
  pthread_t handles[threads];
  int provided;
  for (int i = 0; i < threads; i++) {
    numbers[i] = i;
    pthread_create(&handles[i], NULL, spins, &numbers[i]);
  }
  rest(0.02);
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  for (int i = 0; i < toggles; i++) {
    MPI_Pcontrol(0);
    MPI_Pcontrol(1);
  }
  rest(0.05);
  if (!outlive) {
    enough = 1;
    for (int i = 0; i < threads; i++) pthread_join(handles[i], NULL);
    long sum = 0, all = 0;
    for (int i = 0; i < threads; i++) sum += rounds[i];
    PMPI_Reduce(&sum, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 && toggles == 0) printf("visits middle %ld\nvisits leaf %ld\n", all, 5 * all);
  }
  MPI_Finalize();
  rest(0.02);
  return 0;
}
