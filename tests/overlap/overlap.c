/* overlap.c: rank 0 sends a message to rank 1 without blocking, and both do something else meanwhile. The
 * message is too long for the libraries to have sent it when MPI_Isend returns.
 *
 *   overlap wholly | half | not | library | inside | late | eager | many
 *
 * wholly: 300 ms of computation; half: 100 ms; not: none; library: 100 ms and then a barrier, for which
 * rank 1 computes 150 ms longer; inside: rank 1 computes 100 ms, rank 0 400 ms, so that a library that moves data
 * only inside calls of the sender keeps rank 1 in MPI_Wait for 300 ms; late: rank 0 computes 200 ms before it sends, and
 * rank 1 300 ms; eager: as wholly, with a message of 8 bytes; many: 20 messages of 1 MB, 3 ms of computation each. Each
 * rank prints "overlap RANK COMPUTED_NS LIBRARY_NS INSIDE_NS", as measured: inside are the calls that start and complete
 * the transfer; and for each of `many` "wait RANK NS"; "span RANK BEGIN_NS END_NS" is when it went into the call that starts the transfer, and when
 * it had computed, by the clock of both. */
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

static int is(const char* mode, const char* name) { return strcmp(mode, name) == 0; }

/* Starts the transfer; returns the time that this took. */
static long long start(int rank, char* message, int bytes, MPI_Request* request) {
  const long long begin_ns = now_ns();
  if (rank == 0) MPI_Isend(message, bytes, MPI_CHAR, 1, 7, MPI_COMM_WORLD, request);
  if (rank == 1) MPI_Irecv(message, bytes, MPI_CHAR, 0, 7, MPI_COMM_WORLD, request);
  return now_ns() - begin_ns;
}

static long long complete(MPI_Request* request) {
  const long long begin_ns = now_ns();
  MPI_Wait(request, MPI_STATUS_IGNORE);
  return now_ns() - begin_ns;
}

int main(int argc, char** argv) {
  static char message[1 << 20];
  const char* mode = argc > 1 ? argv[1] : "";
  long long before_ns, started_ns, computed_ns, inside_ns, library_ns = 0;
  const int bytes = is(mode, "eager") ? 8 : (int)sizeof message;
  MPI_Request request = MPI_REQUEST_NULL;
  int rank, i;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  for (i = 0; is(mode, "many") && i < 20; i++) {
    start(rank, message, bytes, &request);
    compute(3);
    printf("wait %d %lld\n", rank, complete(&request));
  }
  if (is(mode, "late") && rank == 0) compute(200);
  before_ns = now_ns();
  inside_ns = start(rank, message, bytes, &request);
  started_ns = now_ns();
  if (is(mode, "wholly") || is(mode, "eager") || (is(mode, "late") && rank == 1)) compute(300);
  if (is(mode, "half")) compute(100);
  if (is(mode, "library")) compute(rank == 1 ? 250 : 100);
  if (is(mode, "inside")) compute(rank == 1 ? 100 : 400);
  computed_ns = now_ns() - started_ns;
  if (is(mode, "library")) {
    MPI_Barrier(MPI_COMM_WORLD);
    library_ns = now_ns() - started_ns - computed_ns;
  }
  if (rank < 2) inside_ns += complete(&request);
  printf("span %d %lld %lld\n", rank, before_ns, started_ns + computed_ns);
  printf("overlap %d %lld %lld %lld\n", rank, computed_ns, library_ns, inside_ns);
  MPI_Finalize();
  return 0;
}
