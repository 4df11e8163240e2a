/* Programs beyond a limit of the monitor, with books.
 *
 *   limits CASE COUNT
 *
 *   threads          COUNT threads one after the other, each with one visit of `work`
 *   crowd            COUNT threads that are all alive at once, each with one visit of `work`
 *   communicators    COUNT communicators made and freed
 *
 * Prints `count REGION VISITS` for a rank, and for the case communicators `memory RANK THIRD KILOBYTES` after
 * each third.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "say_memory.h"

static int rank;
static volatile long sink;
static pthread_barrier_t all_there;

__attribute__((noinline)) static void work(void) { ++sink; }

static void* worker(void* crowd) {
  work();
  if (crowd) pthread_barrier_wait(&all_there);
  return NULL;
}

static void threads(int count) {
  for (int i = 0; i < count; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, worker, NULL) != 0) MPI_Abort(MPI_COMM_WORLD, 1);
    pthread_join(thread, NULL);
  }
  printf("count worker %d\ncount work %d\n", count, count);
}

static void crowd(int count) {
  pthread_t* all = malloc((size_t)count * sizeof *all);
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 65536);
  pthread_barrier_init(&all_there, NULL, (unsigned)count + 1);
  for (int i = 0; i < count; ++i)
    if (pthread_create(&all[i], &small, worker, &all_there) != 0) {
      printf("skipped: the system gives no more than %d threads\n", i);
      fflush(stdout);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
  pthread_barrier_wait(&all_there);
  for (int i = 0; i < count; ++i) pthread_join(all[i], NULL);
  free(all);
  printf("count work %d\n", count);
}

static void communicators(int count) {
  for (int third = 1; third <= 3; ++third) {
    for (int i = 0; i < count / 3; ++i) {
      MPI_Comm copy;
      MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &copy);
      MPI_Barrier(copy);
      MPI_Comm_free(&copy);
    }
    say_memory(rank, third);
  }
  if (rank == 0)
    printf("count MPI_Comm_split %d\ncount MPI_Barrier %d\ncount MPI_Comm_free %d\n", count / 3 * 3, count / 3 * 3,
           count / 3 * 3);
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const char* wanted = argc == 3 ? argv[1] : "";
  int count = argc == 3 ? atoi(argv[2]) : 0, status = 0;
  if (strcmp(wanted, "threads") == 0) threads(count);
  else if (strcmp(wanted, "crowd") == 0) crowd(count);
  else if (strcmp(wanted, "communicators") == 0) communicators(count);
  else status = 2;
  fflush(stdout);
  MPI_Finalize();
  return status;
}
