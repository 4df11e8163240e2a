/* Known answer: visits, bytes and messages of many kinds of calls, which the program counts and
 * prints itself as it makes them (counts.h; docs/mpi.md says what the bytes of a call are).
 *
 *   counts      any number of ranks up to 64
 *
 * Point-to-point in the blocking, non-blocking, persistent, synchronous and combined forms,
 * receives into more room than the message fills, MPI_PROC_NULL, MPI_ANY_SOURCE; collectives with
 * and without MPI_IN_PLACE; a communicator in which the ranks stand in reverse order.
 * Every received value is checked.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "../counts.h"

enum { room = 64 };
static int rank, ranks, next, last;
static int data[room * 64], other[room * 64];
static MPI_Comm world;

static void expect(int is, int should, const char* what) {
  if (is == should) return;
  fprintf(stderr, "counts: rank %d: %s: %d is not %d\n", rank, what, is, should);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static int bytes_of(int count) { return count * (int)sizeof(int); }

static void sendrecv(int count) {
  COUNT_VISIT();
  data[0] = rank;
  MPI_Sendrecv(data, count, MPI_INT, next, 1, other, room, MPI_INT, last, 1, world,
               MPI_STATUS_IGNORE);
  counts_send("MPI_Sendrecv", 1, next, bytes_of(count));
  counts_receive("MPI_Sendrecv", 0, bytes_of(count));
  expect(other[0], last, "MPI_Sendrecv");
}

/* The receiver offers more room than is sent: what arrives counts. */
static void nonblocking(int count) {
  COUNT_VISIT();
  MPI_Request requests[2];
  MPI_Status statuses[2];
  data[0] = 100 + rank;
  MPI_Irecv(other, room, MPI_INT, MPI_ANY_SOURCE, 2, world, &requests[0]);
  counts_visit("MPI_Irecv");
  MPI_Isend(data, count, MPI_INT, next, 2, world, &requests[1]);
  counts_send("MPI_Isend", 1, next, bytes_of(count));
  MPI_Waitall(2, requests, statuses);
  counts_receive("MPI_Waitall", 1, bytes_of(count));
  expect(other[0], 100 + last, "MPI_Irecv");
}

static void wait_one_by_one(int count) {
  COUNT_VISIT();
  MPI_Request send, receive;
  data[0] = 200 + rank;
  MPI_Irecv(other, count, MPI_INT, last, 3, world, &receive);
  counts_visit("MPI_Irecv");
  MPI_Issend(data, count, MPI_INT, next, 3, world, &send);
  counts_send("MPI_Issend", 1, next, bytes_of(count));
  MPI_Wait(&receive, MPI_STATUS_IGNORE);
  counts_receive("MPI_Wait", 1, bytes_of(count));
  MPI_Wait(&send, MPI_STATUS_IGNORE);
  counts_visit("MPI_Wait");
  expect(other[0], 200 + last, "MPI_Issend");
}

static void persistent(int count, int times) {
  COUNT_VISIT();
  MPI_Request requests[2];
  MPI_Status statuses[2];
  MPI_Recv_init(other, room, MPI_INT, last, 4, world, &requests[0]);
  counts_visit("MPI_Recv_init");
  MPI_Send_init(data, count, MPI_INT, next, 4, world, &requests[1]);
  counts_visit("MPI_Send_init");
  for (int i = 0; i < times; ++i) {
    data[0] = i;
    MPI_Start(&requests[0]);
    counts_visit("MPI_Start");
    MPI_Start(&requests[1]);
    counts_send("MPI_Start", 1, next, bytes_of(count));
    MPI_Waitall(2, requests, statuses);
    counts_receive("MPI_Waitall", 1, bytes_of(count));
    expect(other[0], i, "MPI_Start");
  }
  for (int i = 0; i < 2; ++i) {
    MPI_Request_free(&requests[i]);
    counts_visit("MPI_Request_free");
  }
}

/* Blocking sends along a chain of ranks; its ends talk to MPI_PROC_NULL. */
static void chain(int count) {
  COUNT_VISIT();
  int from = rank > 0 ? rank - 1 : MPI_PROC_NULL, to = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;
  MPI_Recv(other, room, MPI_INT, from, 5, world, MPI_STATUS_IGNORE);
  if (from == MPI_PROC_NULL)
    counts_visit("MPI_Recv");
  else
    counts_receive("MPI_Recv", 1, bytes_of(count));
  MPI_Send(data, count, MPI_INT, to, 5, world);
  if (to == MPI_PROC_NULL)
    counts_visit("MPI_Send");
  else
    counts_send("MPI_Send", 1, to, bytes_of(count));
}

/* Ranks stand in reverse order in `reversed`: the matrix is of ranks of the world. */
static void reversed_order(int count) {
  COUNT_VISIT();
  MPI_Comm reversed;
  MPI_Comm_split(world, 0, ranks - rank, &reversed);
  counts_visit("MPI_Comm_split");
  int mine = ranks - 1 - rank; /* rank in `reversed` */
  data[0] = 300 + rank;
  MPI_Sendrecv(data, count, MPI_INT, (mine + 1) % ranks, 6, other, count, MPI_INT,
               (mine + ranks - 1) % ranks, 6, reversed, MPI_STATUS_IGNORE);
  counts_send("MPI_Sendrecv", 1, last, bytes_of(count));
  counts_receive("MPI_Sendrecv", 0, bytes_of(count));
  expect(other[0], 300 + next, "reversed");
  MPI_Comm_free(&reversed);
  counts_visit("MPI_Comm_free");
}

static void rooted(int count, int root) {
  COUNT_VISIT();
  int own = bytes_of(count), all = own * ranks, is_root = rank == root;
  data[0] = rank == root ? 7 : 0;
  MPI_Bcast(data, count, MPI_INT, root, world);
  counts_call("MPI_Bcast", is_root ? own : 0, is_root ? 0 : own);
  expect(data[0], 7, "MPI_Bcast");
  data[0] = 1;
  MPI_Reduce(data, other, count, MPI_INT, MPI_SUM, root, world);
  counts_call("MPI_Reduce", own, is_root ? own : 0);
  if (is_root) expect(other[0], ranks, "MPI_Reduce");
  data[0] = rank;
  MPI_Gather(data, count, MPI_INT, other, count, MPI_INT, root, world);
  counts_call("MPI_Gather", own, is_root ? all : 0);
  if (is_root) expect(other[(ranks - 1) * count], ranks - 1, "MPI_Gather");
  for (int i = 0; i < ranks; ++i) data[i * count] = i;
  MPI_Scatter(data, count, MPI_INT, other, count, MPI_INT, root, world);
  counts_call("MPI_Scatter", is_root ? all : 0, own);
  expect(other[0], rank, "MPI_Scatter");
}

static void all_to_all(int count) {
  COUNT_VISIT();
  int own = bytes_of(count), all = own * ranks;
  data[0] = 1;
  MPI_Allreduce(data, other, count, MPI_INT, MPI_SUM, world);
  counts_call("MPI_Allreduce", own, own);
  expect(other[0], ranks, "MPI_Allreduce");
  MPI_Allreduce(MPI_IN_PLACE, data, count, MPI_INT, MPI_SUM, world);
  counts_call("MPI_Allreduce", own, own);
  expect(data[0], ranks, "MPI_Allreduce in place");
  data[0] = rank;
  MPI_Allgather(data, count, MPI_INT, other, count, MPI_INT, world);
  counts_call("MPI_Allgather", own, all);
  expect(other[last * count], last, "MPI_Allgather");
  for (int i = 0; i < ranks; ++i) data[i * count] = rank;
  MPI_Alltoall(data, count, MPI_INT, other, count, MPI_INT, world);
  counts_call("MPI_Alltoall", all, all);
  expect(other[last * count], last, "MPI_Alltoall");
  data[0] = 1;
  MPI_Scan(data, other, count, MPI_INT, MPI_SUM, world);
  counts_call("MPI_Scan", own, own);
  expect(other[0], rank + 1, "MPI_Scan");
  MPI_Barrier(world);
  counts_call("MPI_Barrier", 0, 0);
}

int main(int argc, char** argv) {
  COUNT_VISIT();
  MPI_Init(&argc, &argv);
  world = MPI_COMM_WORLD;
  MPI_Comm_rank(world, &rank);
  MPI_Comm_size(world, &ranks);
  counts_visit("MPI_Comm_rank");
  counts_visit("MPI_Comm_size");
  next = (rank + 1) % ranks;
  last = (rank + ranks - 1) % ranks;
  for (int i = 1; i <= 5; ++i) sendrecv(i);
  for (int i = 1; i <= 3; ++i) nonblocking(10 * i);
  wait_one_by_one(12);
  persistent(8, 4);
  chain(16);
  reversed_order(9);
  for (int root = 0; root < ranks; ++root) rooted(6, root);
  all_to_all(5);
  if (rank == 0) printf("counts: right\n");
  counts_print(rank);
  MPI_Finalize();
  return 0;
}
