/* Full load, with books: probes, messages, collectives, communicators, threads that come and go, and a timer
 * whose handler has probes, all at once, for as many rounds as asked.
 *
 *   soak ROUNDS VISITS MESSAGES
 *
 * Each round of a rank: VISITS calls of `leaf` from the main thread and as many from two threads that end in
 * the round; MESSAGES around a ring; a collective; every 50th round a communicator made and freed. The timer
 * strikes every 5 ms. MPI_Pcontrol(2) is called about once a second. Prints, for all ranks together,
 *   count REGION VISITS
 * of every function and call, and for each rank, after the rounds 1/3, 2/3 and at the end,
 *   memory RANK THIRD KILOBYTES
 * of memory that the process holds.
 */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#include "say_memory.h"

enum { most_messages = 5000, thread_count = 2, rounds_of_a_communicator = 50, timer_us = 5000 };

static int rank, ranks, visits, messages;
static volatile long sink;
static atomic_long ticks; /* of the timer, in any thread */
static long snapshots;

__attribute__((noinline)) static void leaf(int i) { sink += i; }

__attribute__((noinline)) static void burst(int count) {
  for (int i = 0; i < count; ++i) leaf(i);
}

__attribute__((noinline)) static void tick(void) { atomic_fetch_add(&ticks, 1); }

static void on_timer(int number) {
  (void)number;
  tick();
}

static void* visitor(void* unused) {
  burst(visits / thread_count);
  return unused;
}

__attribute__((noinline)) static void ring(int round) {
  static int sent[most_messages], received[most_messages];
  static MPI_Request requests[2 * most_messages];
  static MPI_Status statuses[2 * most_messages];
  int next = (rank + 1) % ranks, previous = (rank + ranks - 1) % ranks;
  for (int i = 0; i < messages; ++i) {
    sent[i] = round + i;
    MPI_Irecv(&received[i], 1, MPI_INT, previous, i, MPI_COMM_WORLD, &requests[i]);
  }
  for (int i = 0; i < messages; ++i)
    MPI_Isend(&sent[i], 1, MPI_INT, next, i, MPI_COMM_WORLD, &requests[messages + i]);
  MPI_Waitall(2 * messages, requests, statuses);
  for (int i = 0; i < messages; ++i)
    if (received[i] != round + i) MPI_Abort(MPI_COMM_WORLD, 1);
}

__attribute__((noinline)) static void agree(int round) {
  int one = 1, all = 0;
  MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (all != ranks) MPI_Abort(MPI_COMM_WORLD, 1);
  if (round % rounds_of_a_communicator == 0) {
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Barrier(copy);
    MPI_Comm_free(&copy);
  }
}

static void one_round(int round) {
  pthread_t threads[thread_count];
  for (int t = 0; t < thread_count; ++t)
    if (pthread_create(&threads[t], NULL, visitor, NULL) != 0) MPI_Abort(MPI_COMM_WORLD, 1);
  burst(visits);
  ring(round);
  agree(round);
  for (int t = 0; t < thread_count; ++t) pthread_join(threads[t], NULL);
}

static void set_timer(int us) {
  struct itimerval every = {{0, us}, {0, us}};
  setitimer(ITIMER_REAL, &every, NULL);
}

static void say(const char* region, long count) {
  long all = 0;
  PMPI_Reduce(&count, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("count %s %ld\n", region, all);
}

int main(int argc, char** argv) {
  int provided;
  if (argc != 4) return 2;
  int rounds = atoi(argv[1]);
  visits = atoi(argv[2]);
  messages = atoi(argv[3]);
  if (rounds % 3 != 0 || messages > most_messages) return 2;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_timer;
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, NULL);
  set_timer(timer_us);
  time_t second = time(NULL);
  for (int round = 0; round < rounds; ++round) {
    one_round(round);
    if ((round + 1) % (rounds / 3) == 0) say_memory(rank, (round + 1) / (rounds / 3));
    if (time(NULL) != second) {
      second = time(NULL);
      MPI_Pcontrol(2);
      ++snapshots;
    }
  }
  set_timer(0);
  int communicators = (rounds + rounds_of_a_communicator - 1) / rounds_of_a_communicator;
  say("leaf", (long)rounds * (visits + visits / thread_count * thread_count));
  say("burst", (long)rounds * (1 + thread_count));
  say("visitor", (long)rounds * thread_count);
  say("ring", rounds);
  say("agree", rounds);
  say("one_round", rounds);
  say("tick", atomic_load(&ticks));
  say("MPI_Isend", (long)rounds * messages);
  say("MPI_Irecv", (long)rounds * messages);
  say("MPI_Waitall", rounds);
  say("MPI_Allreduce", rounds);
  say("MPI_Barrier", communicators);
  say("MPI_Comm_dup", communicators);
  say("MPI_Comm_free", communicators);
  say("(snapshots)", snapshots);
  fflush(stdout);
  MPI_Finalize();
  return 0;
}
