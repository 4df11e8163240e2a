/* mpi_calls.c: what the monitor adds to MPI calls, beside two reads of the clock. The MPI_ call is
 * the one that andes answers; the PMPI_ call in the same process is the plain one. Blocks of the two
 * alternate, so that both see the same machine; the smallest block of each counts for cheap calls,
 * and the median of adjacent blocks for messages between ranks, whose times vary.
 *
 *   mpi_calls         1 rank: cheap calls, and requests to itself; 2 ranks: 8 B ping-pong, all-reductions
 *   mpi_calls requests  1 rank: requests alone
 *   mpi_calls off     the same after MPI_Pcontrol(0)
 *
 * Rank 0 prints lines "floor NS", "call NAME PLAIN_NS ADDED_NS CLOCKED_NS" (added by two reads of the
 * clock alone, before and after the PMPI_ call: they keep the processor from working ahead), "ping
 * PLAIN_NS ADDED_NS ADDED_OF_FASTEST_NS CLOCKED_NS" and "allreduce ..." alike, and "requests PLAIN_NS
 * ADDED_NS" for each request of MPI_Irecv, MPI_Isend and MPI_Waitall. Started by bench_mpi. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "andes/probe.h"

enum { calls = 2000, blocks = 1500, trips = 500, trip_blocks = 1500 };

static double ns_per_tick;

static double now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

static void calibrate(void) {
  const double begin_ns = now_ns();
  const uint64_t begin = ANDES_TICKS();
  while (now_ns() < begin_ns + 5e7) {}
  ns_per_tick = (now_ns() - begin_ns) / (double)(ANDES_TICKS() - begin);
}

/* Two reads of the clock that probes use. */
static double floor_ns(void) {
  uint64_t least = UINT64_MAX, sum = 0;
  for (int block = 0; block < 500; block++) {
    const uint64_t begin = ANDES_TICKS();
    for (int i = 0; i < 20000; i++) sum += ANDES_TICKS() ^ ANDES_TICKS();
    const uint64_t spent = ANDES_TICKS() - begin;
    if (spent < least) least = spent;
  }
  __asm__ volatile("" : : "r"(sum));
  return (double)least * ns_per_tick / 20000;
}

#define BLOCK(name, call)                                                                          \
  __attribute__((noinline)) static uint64_t name(void) {                                          \
    const uint64_t begin = ANDES_TICKS();                                                          \
    for (int i = 0; i < calls; i++) {                                                              \
      call;                                                                                        \
    }                                                                                              \
    return ANDES_TICKS() - begin;                                                                  \
  }
#define BOTH(name, arguments)                                                                      \
  BLOCK(plain_##name, PMPI_##name arguments) BLOCK(with_##name, MPI_##name arguments)             \
  BLOCK(clocked_##name, spent_ticks -= ANDES_TICKS(); PMPI_##name arguments;                       \
        spent_ticks += ANDES_TICKS())

static int flag;
static uint64_t spent_ticks;
static double buffer[4];
static MPI_Request none = MPI_REQUEST_NULL;
BOTH(Iprobe, (MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE))
BOTH(Test, (&none, &flag, MPI_STATUS_IGNORE))
BOTH(Send, (buffer, 1, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD))
BOTH(Recv, (buffer, 1, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE))
BOTH(Barrier, (MPI_COMM_SELF))
BOTH(Bcast, (buffer, 1, MPI_DOUBLE, 0, MPI_COMM_SELF))
BOTH(Allreduce, (MPI_IN_PLACE, buffer, 1, MPI_LONG_LONG, MPI_BOR, MPI_COMM_SELF))
BOTH(Comm_rank, (MPI_COMM_WORLD, &flag))
BOTH(Wtime, ())

struct call {
  const char* name;
  uint64_t (*plain)(void), (*with)(void), (*clocked)(void);
};
#define CALL(name) {#name, plain_##name, with_##name, clocked_##name}
static const struct call cheap[] = {CALL(Iprobe), CALL(Test),  CALL(Send), CALL(Barrier),
                                    CALL(Comm_rank), CALL(Wtime), CALL(Recv), CALL(Bcast), CALL(Allreduce)};
enum { cheap_count = sizeof cheap / sizeof *cheap };

/* The smallest block of each form, the forms in turn. */
static void cheap_call(const struct call* call) {
  uint64_t (*const forms[])(void) = {call->plain, call->with, call->clocked};
  uint64_t least[] = {UINT64_MAX, UINT64_MAX, UINT64_MAX};
  for (int block = 0; block < 3 * blocks; block++) {
    const uint64_t spent = forms[block % 3]();
    if (spent < least[block % 3]) least[block % 3] = spent;
  }
  const double scale = ns_per_tick / calls, plain_ns = scale * (double)least[0];
  printf("call %s %.2f %.2f %.2f\n", call->name, plain_ns, scale * (double)least[1] - plain_ns,
         scale * (double)least[2] - plain_ns);
}

/* Pairs of MPI_Irecv and MPI_Isend, and one MPI_Waitall: two requests each. */
enum { pairs = 16, batches = 60 };
static double incoming[pairs]; /* no two receives, nor a send, may share a buffer */
#define REQUESTS(name, receive, send, wait)                                                        \
  __attribute__((noinline)) static uint64_t name(void) {                                          \
    MPI_Request requests[2 * pairs];                                                               \
    const uint64_t begin = ANDES_TICKS();                                                          \
    for (int i = 0; i < batches; i++) {                                                            \
      for (int k = 0; k < pairs; k++)                                                              \
        receive(incoming + k, 1, MPI_DOUBLE, 0, k, MPI_COMM_WORLD, requests + k);                \
      for (int k = 0; k < pairs; k++)                                                              \
        send(buffer + k % 4, 1, MPI_DOUBLE, 0, k, MPI_COMM_WORLD, requests + pairs + k);           \
      wait(2 * pairs, requests, MPI_STATUSES_IGNORE);                                              \
    }                                                                                              \
    return ANDES_TICKS() - begin;                                                                  \
  }
REQUESTS(plain_requests, PMPI_Irecv, PMPI_Isend, PMPI_Waitall)
REQUESTS(with_requests, MPI_Irecv, MPI_Isend, MPI_Waitall)

static void many_requests(void) {
  uint64_t (*const forms[])(void) = {plain_requests, with_requests};
  uint64_t least[] = {UINT64_MAX, UINT64_MAX};
  for (int block = 0; block < 2 * blocks; block++) {
    const uint64_t spent = forms[block % 2]();
    if (spent < least[block % 2]) least[block % 2] = spent;
  }
  const double scale = ns_per_tick / (2.0 * pairs * batches), plain_ns = scale * (double)least[0];
  printf("requests %.2f %.2f\n", plain_ns, scale * (double)least[1] - plain_ns);
}

#define PING(name, send, receive)                                                                  \
  __attribute__((noinline)) static uint64_t name(int rank) {                                      \
    const uint64_t begin = ANDES_TICKS();                                                          \
    for (int i = 0; i < trips; i++) {                                                              \
      if (rank == 0) send(buffer, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);                            \
      receive(buffer, 1, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);              \
      if (rank == 1) send(buffer, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);                            \
    }                                                                                              \
    return ANDES_TICKS() - begin;                                                                  \
  }
#define CLOCKED(call) (spent_ticks -= ANDES_TICKS(), call, spent_ticks += ANDES_TICKS())
#define CLOCKED_SEND(...) CLOCKED(PMPI_Send(__VA_ARGS__))
#define CLOCKED_RECV(...) CLOCKED(PMPI_Recv(__VA_ARGS__))
PING(plain_ping, PMPI_Send, PMPI_Recv)
PING(with_ping, MPI_Send, MPI_Recv)
PING(clocked_ping, CLOCKED_SEND, CLOCKED_RECV)

#define REDUCE(name, reduce)                                                                       \
  __attribute__((noinline)) static uint64_t name(int rank) {                                      \
    static double sum[1];                                                                          \
    const uint64_t begin = ANDES_TICKS();                                                          \
    (void)rank;                                                                                    \
    for (int i = 0; i < trips; i++) reduce(buffer, sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);   \
    return ANDES_TICKS() - begin;                                                                  \
  }
#define CLOCKED_ALLREDUCE(...) CLOCKED(PMPI_Allreduce(__VA_ARGS__))
REDUCE(plain_reduce, PMPI_Allreduce)
REDUCE(with_reduce, MPI_Allreduce)
REDUCE(clocked_reduce, CLOCKED_ALLREDUCE)

static int ascending(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

/* The medians of `trips` between two ranks. */
static void compare(const char* name, int rank, uint64_t (*plain_of)(int), uint64_t (*with_of)(int),
                    uint64_t (*clocked_of)(int)) {
  static double plain[trip_blocks], with[trip_blocks], added[trip_blocks], clocked[trip_blocks];
  const double scale = ns_per_tick / trips;
  plain_of(rank);
  with_of(rank);
  for (int block = 0; block < trip_blocks; block++) {
    plain[block] = scale * (double)plain_of(rank);
    with[block] = scale * (double)with_of(rank);
    clocked[block] = scale * (double)clocked_of(rank) - plain[block];
    added[block] = with[block] - plain[block];
  }
  qsort(plain, trip_blocks, sizeof *plain, ascending);
  qsort(with, trip_blocks, sizeof *with, ascending);
  qsort(added, trip_blocks, sizeof *added, ascending);
  qsort(clocked, trip_blocks, sizeof *clocked, ascending);
  /* The smallest hundredth instead of the smallest: a message now and then takes a shorter way. */
  const int least = trip_blocks / 100, middle = trip_blocks / 2;
  if (rank == 0)
    printf("%s %.1f %.1f %.1f %.1f\n", name, plain[middle], added[middle], with[least] - plain[least],
           clocked[middle]);
}

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  calibrate();
  const double reads_ns = floor_ns();
  if (rank == 0) printf("floor %.2f\n", reads_ns);
  if (argc > 1 && strcmp(argv[1], "off") == 0) {
    for (int i = 0; i < cheap_count; i++) cheap[i].with(); /* called before, as in a program */
    MPI_Pcontrol(0);
  }
  const int requests_alone = argc > 1 && strcmp(argv[1], "requests") == 0;
  for (int i = 0; size == 1 && !requests_alone && i < cheap_count; i++) cheap_call(&cheap[i]);
  if (size == 1) many_requests();
  if (size == 2) {
    compare("ping", rank, plain_ping, with_ping, clocked_ping);
    compare("allreduce", rank, plain_reduce, with_reduce, clocked_reduce);
  }
  MPI_Finalize();
  return 0;
}
