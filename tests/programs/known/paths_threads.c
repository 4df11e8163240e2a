/* Known answer: threads. Each has its own call tree; the main thread's is thread 0.
 *
 *   paths_threads
 *
 * Three threads of each rank, all alive together, each started when the one before has entered its
 * function, so that their numbers are those of their starts. Thread t visits thread_work t + 1
 * times, each 40 ms. Prints, on rank 0,
 *   thread THREAD PATH VISITS MILLISECONDS
 */
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>

#include "clock.h"

enum { threads = 3 };
static sem_t entered;
static pthread_barrier_t all_started;

__attribute__((noinline)) static void thread_work(void) { sleep_ms(40); }

static void* thread_main(void* argument) {
  int times = (int)(intptr_t)argument;
  sem_post(&entered);
  pthread_barrier_wait(&all_started);
  for (int i = 0; i < times; ++i) thread_work();
  return NULL;
}

int main(int argc, char** argv) {
  int rank, provided;
  pthread_t thread[threads];
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  sem_init(&entered, 0, 0);
  pthread_barrier_init(&all_started, NULL, threads);
  for (int t = 1; t <= threads; ++t) {
    if (pthread_create(&thread[t - 1], NULL, thread_main, (void*)(intptr_t)(t + 1)) != 0) return 1;
    while (sem_wait(&entered) != 0) {
    }
  }
  for (int t = 1; t <= threads; ++t) {
    if (pthread_join(thread[t - 1], NULL) != 0) return 1;
    if (rank == 0) printf("thread %d thread_main/thread_work %d %d\n", t, t + 1, 40 * (t + 1));
  }
  fflush(stdout);
  MPI_Finalize();
  return provided >= MPI_THREAD_FUNNELED ? 0 : 1;
}
