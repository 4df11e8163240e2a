/* polling.c: ranks that poll, for a clock, for a message that does not come, for a request that is not
 * done: local calls of MPI, some 20 to 100 ns long, tens of millions a second. A step is 100,000 calls of
 * each kind, half of them from the loop itself and half from a small function. The checksum counts them. */
#include "corpus.h"

enum { CALLS = 50000 };

static APART int message_there(void) {
  int flag;
  MPI_Iprobe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  return flag;
}

static APART int request_done(MPI_Request *request) {
  int flag;
  MPI_Test(request, &flag, MPI_STATUS_IGNORE);
  return flag;
}

static APART int later_than(double time) { return MPI_Wtime() > time; }

static APART long poll_clock(double end) {
  long polls = 0;
  for (int i = 0; i < CALLS; ++i) polls += MPI_Wtime() < end;
  for (int i = 0; i < CALLS; ++i) polls += !later_than(end);
  return polls;
}

static APART long poll_messages(void) {
  long polls = 0;
  int flag;
  for (int i = 0; i < CALLS; ++i) {
    MPI_Iprobe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    polls += !flag;
  }
  for (int i = 0; i < CALLS; ++i) polls += !message_there();
  return polls;
}

static APART long poll_request(MPI_Request *request) {
  long polls = 0;
  int flag;
  for (int i = 0; i < CALLS; ++i) {
    MPI_Test(request, &flag, MPI_STATUS_IGNORE);
    polls += !flag;
  }
  for (int i = 0; i < CALLS; ++i) polls += !request_done(request);
  return polls;
}

int main(int argc, char **argv) {
  struct corpus c = corpus_start(&argc, &argv);
  long polls = 0;
  int inbox, outbox = 1;
  MPI_Request request;
  int other = (c.rank + 1) % c.ranks;
  MPI_Irecv(&inbox, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &request);
  for (long i = 0; i < c.steps; ++i) polls += poll_clock(MPI_Wtime() + 1e6) + poll_messages() + poll_request(&request);
  MPI_Barrier(MPI_COMM_WORLD); /* nobody's request is done before all have polled */
  MPI_Send(&outbox, 1, MPI_INT, other, 3, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return corpus_end(&c, "polling", (double)polls);
}
