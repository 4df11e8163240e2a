/* accounts.c: calls MPI in every shape whose bytes and messages are counted, and keeps its own
 * books: after each call, what that call must have added, computed by hand. At the end each rank
 * prints them; test_accounts.py compares the sums with the run file, number by number, and the
 * communication matrix with the messages booked. Runs on any number of ranks from 2 up. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "andes/probe.h"

enum { most = 128 };
static struct {
  const char* name;
  long visits, bytes_sent, bytes_received, messages_sent, messages_received;
} books[most];
static int booked;
static long matrix_messages[64], matrix_bytes[64];
static int rank, size, next, previous;

static void book(const char* name, long sent, long received, int out, int in) {
  int i = 0;
  while (i < booked && strcmp(books[i].name, name)) i++;
  if (i == booked) books[booked++].name = name;
  books[i].visits++;
  books[i].bytes_sent += sent;
  books[i].bytes_received += received;
  books[i].messages_sent += out;
  books[i].messages_received += in;
}
#define CALL(function, arguments, sent, received, out, in)                                         \
  (function arguments, book(#function, sent, received, out, in))
#define PLAIN(function, arguments) CALL(function, arguments, 0, 0, 0, 0)
static void message(int to, long bytes) {
  matrix_messages[to]++;
  matrix_bytes[to] += bytes;
}

static double a[4096], b[4096];
static MPI_Comm world;
static const int D = sizeof(double), I = sizeof(int);

static void blocking(void) {
  MPI_Status status;
  MPI_Request request;
  static char buffer[65536];
  int size_of_buffer;
  char* detached;
  /* ring, the receive posted first so that nothing can block */
  PLAIN(MPI_Irecv, (b, 10, MPI_DOUBLE, previous, 1, world, &request));
  CALL(MPI_Send, (a, 10, MPI_DOUBLE, next, 1, world), 10 * D, 0, 1, 0), message(next, 10 * D);
  CALL(MPI_Wait, (&request, MPI_STATUS_IGNORE), 0, 10 * D, 0, 1);
  PLAIN(MPI_Irecv, (b, 5, MPI_INT, previous, 1, world, &request));
  CALL(MPI_Ssend, (a, 5, MPI_INT, next, 1, world), 5 * I, 0, 1, 0), message(next, 5 * I);
  CALL(MPI_Wait, (&request, &status), 0, 5 * I, 0, 1);
  PLAIN(MPI_Irecv, (b, 5, MPI_CHAR, previous, 1, world, &request));
  PLAIN(MPI_Barrier, (world));
  CALL(MPI_Rsend, (a, 5, MPI_CHAR, next, 1, world), 5, 0, 1, 0), message(next, 5);
  CALL(MPI_Wait, (&request, &status), 0, 5, 0, 1);
  PLAIN(MPI_Buffer_attach, (buffer, sizeof buffer));
  CALL(MPI_Bsend, (a, 7, MPI_SHORT, next, 2, world), 14, 0, 1, 0), message(next, 14);
  /* more room than what arrives; wildcards; no status */
  CALL(MPI_Recv, (b, 4096, MPI_SHORT, MPI_ANY_SOURCE, MPI_ANY_TAG, world, MPI_STATUS_IGNORE), 0, 14,
       0, 1);
  CALL(MPI_Ibsend, (a, 3, MPI_BYTE, next, 2, world, &request), 3, 0, 1, 0), message(next, 3);
  PLAIN(MPI_Wait, (&request, MPI_STATUS_IGNORE));
  CALL(MPI_Recv, (b, 3, MPI_BYTE, previous, 2, world, &status), 0, 3, 0, 1);
  PLAIN(MPI_Buffer_detach, (&detached, &size_of_buffer));
  CALL(MPI_Sendrecv, (a, 4, MPI_DOUBLE, next, 3, b, 9, MPI_DOUBLE, previous, 3, world, &status),
       4 * D, 4 * D, 1, 1),
      message(next, 4 * D);
  CALL(MPI_Sendrecv_replace, (a, 2, MPI_INT, next, 3, previous, 3, world, MPI_STATUS_IGNORE), 2 * I,
       2 * I, 1, 1),
      message(next, 2 * I);
  /* nobody there: neither bytes nor messages */
  PLAIN(MPI_Send, (a, 10, MPI_DOUBLE, MPI_PROC_NULL, 1, world));
  PLAIN(MPI_Recv, (b, 10, MPI_DOUBLE, MPI_PROC_NULL, 1, world, MPI_STATUS_IGNORE));
  PLAIN(MPI_Irecv, (b, 10, MPI_DOUBLE, MPI_PROC_NULL, 1, world, &request));
  PLAIN(MPI_Wait, (&request, &status));
  /* empty message: a message of no bytes */
  PLAIN(MPI_Irecv, (b, 1, MPI_INT, previous, 1, world, &request));
  CALL(MPI_Send, (NULL, 0, MPI_INT, next, 1, world), 0, 0, 1, 0), message(next, 0);
  CALL(MPI_Wait, (&request, MPI_STATUS_IGNORE), 0, 0, 0, 1);
}

static void matched(void) {
  MPI_Status status;
  MPI_Message handle;
  MPI_Request requests[2];
  int flag = 0;
  CALL(MPI_Isend, (a, 6, MPI_INT, next, 4, world, &requests[0]), 6 * I, 0, 1, 0),
      message(next, 6 * I);
  PLAIN(MPI_Probe, (previous, 4, world, &status));
  PLAIN(MPI_Mprobe, (previous, 4, world, &handle, &status));
  CALL(MPI_Mrecv, (b, 6, MPI_INT, &handle, MPI_STATUS_IGNORE), 0, 6 * I, 0, 1);
  PLAIN(MPI_Wait, (&requests[0], &status));
  CALL(MPI_Issend, (a, 6, MPI_INT, next, 4, world, &requests[0]), 6 * I, 0, 1, 0),
      message(next, 6 * I);
  while (!flag) PLAIN(MPI_Improbe, (previous, 4, world, &flag, &handle, MPI_STATUS_IGNORE));
  PLAIN(MPI_Imrecv, (b, 6, MPI_INT, &handle, &requests[1]));
  CALL(MPI_Waitall, (2, requests, MPI_STATUSES_IGNORE), 0, 6 * I, 0, 1);
}

static void many(void) {
  enum { n = 100 };
  static MPI_Request requests[2 * n];
  static MPI_Status statuses[2 * n];
  static int indices[2 * n];
  int i, done, flag, index;
  for (int round = 0; round < 6; round++) {
    for (i = 0; i < n; i++)
      PLAIN(MPI_Irecv, (b + i, 1, MPI_DOUBLE, previous, i, world, &requests[i]));
    for (i = 0; i < n; i++)
      CALL(MPI_Isend, (a + i, 1, MPI_DOUBLE, next, i, world, &requests[n + i]), D, 0, 1, 0),
          message(next, D);
    if (round == 0) CALL(MPI_Waitall, (2 * n, requests, MPI_STATUSES_IGNORE), 0, n * D, 0, n);
    if (round == 1) CALL(MPI_Waitall, (2 * n, requests, statuses), 0, n * D, 0, n);
    for (flag = 0; round == 2 && !flag;) {
      MPI_Testall(2 * n, requests, &flag, MPI_STATUSES_IGNORE);
      book("MPI_Testall", 0, flag ? n * D : 0, 0, flag ? n : 0);
    }
    for (i = 0; round == 3 && i < 2 * n; i++) {
      MPI_Waitany(2 * n, requests, &index, MPI_STATUS_IGNORE);
      book("MPI_Waitany", 0, index < n ? D : 0, 0, index < n);
    }
    for (i = 0; round == 4 && i < 2 * n; i += done) {
      MPI_Waitsome(2 * n, requests, &done, indices, MPI_STATUSES_IGNORE);
      int received = 0;
      for (int k = 0; k < done; k++) received += indices[k] < n;
      book("MPI_Waitsome", 0, received * D, 0, received);
    }
    for (i = 0; round == 5 && i < n; i += done) { /* the second half by MPI_Testany and MPI_Test */
      MPI_Testsome(n, requests, &done, indices, statuses);
      book("MPI_Testsome", 0, done * D, 0, done);
    }
    for (i = 0; round == 5 && i < n / 2;) {
      MPI_Testany(n / 2, requests + n, &index, &flag, MPI_STATUS_IGNORE);
      book("MPI_Testany", 0, 0, 0, 0);
      i += flag && index != MPI_UNDEFINED;
    }
    for (i = n + n / 2; round == 5 && i < 2 * n;) {
      MPI_Test(&requests[i], &flag, MPI_STATUS_IGNORE);
      book("MPI_Test", 0, 0, 0, 0);
      i += flag;
    }
  }
}

static int open_requests(int count, const MPI_Request* requests) {
  int open = 0;
  for (int i = 0; i < count; i++) open += requests[i] != MPI_REQUEST_NULL;
  return open;
}

/* Calls that fail for one of their receives, whose message is too long: the others count, each in the call that completes
 * it. Which of them the failed call leaves pending is the library's choice. */
static void failing(void) {
  enum { n = 5, bad = 2 };
  MPI_Request requests[n];
  MPI_Status statuses[n];
  int indices[n], flag, done;
  PLAIN(MPI_Comm_set_errhandler, (world, MPI_ERRORS_RETURN));
  for (int round = 0; round < 4; round++) {
    for (int i = 0; i < n; i++)
      PLAIN(MPI_Irecv, (b + 10 * i, i == bad ? 1 : 10, MPI_DOUBLE, previous, i, world, &requests[i]));
    for (int i = 0; i < n; i++)
      CALL(MPI_Send, (a, 10, MPI_DOUBLE, next, i, world), 10 * D, 0, 1, 0), message(next, 10 * D);
    for (int open = n, had_bad = 1; open > 0;) {
      if (round == 0) MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
      if (round == 1) MPI_Waitall(n, requests, statuses);
      if (round == 2) MPI_Testall(n, requests, &flag, MPI_STATUSES_IGNORE);
      if (round == 3) MPI_Waitsome(n, requests, &done, indices, MPI_STATUSES_IGNORE);
      const int has_bad = requests[bad] != MPI_REQUEST_NULL, left = open_requests(n, requests);
      const int received = open - left - (had_bad && !has_bad);
      book(round < 2 ? "MPI_Waitall" : round == 2 ? "MPI_Testall" : "MPI_Waitsome", 0, received * 10 * D, 0, received);
      open = left, had_bad = has_bad;
    }
  }
  PLAIN(MPI_Comm_set_errhandler, (world, MPI_ERRORS_ARE_FATAL));
}

static void persistent(void) {
  MPI_Request requests[2], lost;
  MPI_Status status;
  int flag = 0;
  PLAIN(MPI_Recv_init, (b, 20, MPI_INT, previous, 5, world, &requests[0]));
  PLAIN(MPI_Send_init, (a, 8, MPI_INT, next, 5, world, &requests[1]));
  for (int i = 0; i < 3; i++) {
    CALL(MPI_Startall, (2, requests), 8 * I, 0, 1, 0), message(next, 8 * I);
    CALL(MPI_Waitall, (2, requests, MPI_STATUSES_IGNORE), 0, 8 * I, 0, 1);
  }
  PLAIN(MPI_Start, (&requests[0]));
  CALL(MPI_Start, (&requests[1]), 8 * I, 0, 1, 0), message(next, 8 * I);
  while (!flag)
    PLAIN(MPI_Request_get_status, (requests[0], &flag, &status)); /* completes nothing */
  CALL(MPI_Wait, (&requests[0], &status), 0, 8 * I, 0, 1);
  PLAIN(MPI_Wait, (&requests[1], MPI_STATUS_IGNORE));
  PLAIN(MPI_Request_free, (&requests[0]));
  PLAIN(MPI_Request_free, (&requests[1]));
  /* a receive that is cancelled gets nothing */
  PLAIN(MPI_Irecv, (b, 1, MPI_INT, previous, 99, world, &lost));
  PLAIN(MPI_Cancel, (&lost));
  PLAIN(MPI_Wait, (&lost, MPI_STATUS_IGNORE));
}

static void collectives(void) {
  int counts[64], displacements[64], total = 0;
  MPI_Request request;
  for (int i = 0; i < size; i++) counts[i] = i + 1, displacements[i] = total, total += i + 1;
  int mine = counts[rank], root = size - 1, am_root = rank == root;
  CALL(MPI_Bcast, (a, 3, MPI_INT, root, world), am_root ? 3 * I : 0, am_root ? 0 : 3 * I, 0, 0);
  CALL(MPI_Gather, (a, 2, MPI_INT, b, 2, MPI_INT, root, world), 2 * I, am_root ? size * 2 * I : 0,
       0, 0);
  CALL(MPI_Gather, (am_root ? MPI_IN_PLACE : a, 2, MPI_INT, b, 2, MPI_INT, root, world), 2 * I,
       am_root ? size * 2 * I : 0, 0, 0);
  CALL(MPI_Gatherv, (a, mine, MPI_INT, b, counts, displacements, MPI_INT, root, world), mine * I,
       am_root ? total * I : 0, 0, 0);
  CALL(MPI_Scatter, (a, 2, MPI_INT, b, 2, MPI_INT, root, world), am_root ? size * 2 * I : 0, 2 * I,
       0, 0);
  CALL(MPI_Scatter, (a, 2, MPI_INT, am_root ? MPI_IN_PLACE : b, 2, MPI_INT, root, world),
       am_root ? size * 2 * I : 0, 2 * I, 0, 0);
  CALL(MPI_Scatterv, (a, counts, displacements, MPI_INT, b, mine, MPI_INT, root, world),
       am_root ? total * I : 0, mine * I, 0, 0);
  CALL(MPI_Allgather, (a, 2, MPI_INT, b, 2, MPI_INT, world), 2 * I, size * 2 * I, 0, 0);
  CALL(MPI_Allgather, (MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b, 2, MPI_INT, world), 2 * I,
       size * 2 * I, 0, 0);
  CALL(MPI_Allgatherv, (a, mine, MPI_INT, b, counts, displacements, MPI_INT, world), mine * I,
       total * I, 0, 0);
  CALL(MPI_Alltoall, (a, 2, MPI_INT, b, 2, MPI_INT, world), size * 2 * I, size * 2 * I, 0, 0);
  CALL(MPI_Alltoall, (MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b, 2, MPI_INT, world), size * 2 * I,
       size * 2 * I, 0, 0);
  { /* rank r sends s+1 integers to rank s, so it receives r+1 from everybody */
    int incoming[64], at[64], by[64];
    MPI_Datatype types[64];
    for (int i = 0; i < size; i++) incoming[i] = mine, at[i] = i * mine, types[i] = MPI_INT;
    for (int i = 0; i < size; i++) by[i] = displacements[i] * I;
    CALL(MPI_Alltoallv, (a, counts, displacements, MPI_INT, b, incoming, at, MPI_INT, world),
         total * I, size * mine * I, 0, 0);
    for (int i = 0; i < size; i++) at[i] *= I;
    CALL(MPI_Alltoallw, (a, counts, by, types, b, incoming, at, types, world), total * I,
         size * mine * I, 0, 0);
  }
  CALL(MPI_Reduce, (a, b, 3, MPI_DOUBLE, MPI_SUM, root, world), 3 * D, am_root ? 3 * D : 0, 0, 0);
  CALL(MPI_Allreduce, (a, b, 3, MPI_DOUBLE, MPI_SUM, world), 3 * D, 3 * D, 0, 0);
  CALL(MPI_Allreduce, (MPI_IN_PLACE, b, 3, MPI_DOUBLE, MPI_SUM, world), 3 * D, 3 * D, 0, 0);
  CALL(MPI_Reduce_scatter, (a, b, counts, MPI_INT, MPI_SUM, world), total * I, mine * I, 0, 0);
  CALL(MPI_Reduce_scatter_block, (a, b, 2, MPI_INT, MPI_SUM, world), size * 2 * I, 2 * I, 0, 0);
  CALL(MPI_Scan, (a, b, 3, MPI_INT, MPI_SUM, world), 3 * I, 3 * I, 0, 0);
  CALL(MPI_Exscan, (a, b, 3, MPI_INT, MPI_SUM, world), 3 * I, rank ? 3 * I : 0, 0, 0);
  CALL(MPI_Iallreduce, (a, b, 3, MPI_INT, MPI_SUM, world, &request), 3 * I, 3 * I, 0, 0);
  PLAIN(MPI_Wait, (&request, MPI_STATUS_IGNORE));
  CALL(MPI_Ibcast, (a, 3, MPI_INT, 0, world, &request), rank ? 0 : 3 * I, rank ? 3 * I : 0, 0, 0);
  PLAIN(MPI_Wait, (&request, MPI_STATUS_IGNORE));
  PLAIN(MPI_Ibarrier, (world, &request));
  PLAIN(MPI_Wait, (&request, MPI_STATUS_IGNORE));
  { /* ring of neighbours, the same one twice for two ranks */
    int dimension = 0, periodic = 1;
    MPI_Comm ring;
    dimension = size;
    PLAIN(MPI_Cart_create, (world, 1, &dimension, &periodic, 0, &ring));
    CALL(MPI_Neighbor_allgather, (a, 2, MPI_INT, b, 2, MPI_INT, ring), 2 * I, 4 * I, 0, 0);
    CALL(MPI_Neighbor_alltoall, (a, 2, MPI_INT, b, 2, MPI_INT, ring), 4 * I, 4 * I, 0, 0);
    PLAIN(MPI_Comm_free, (&ring));
  }
}

static void communicators(void) {
  MPI_Comm reversed, half, inter;
  MPI_Datatype vector;
  int lower = rank < size / 2, here, leaders;
  /* in a communicator of its own order: the matrix still speaks of world ranks */
  PLAIN(MPI_Comm_split, (world, 0, size - rank, &reversed));
  PLAIN(MPI_Type_vector, (4, 2, 5, MPI_INT, &vector));
  PLAIN(MPI_Type_commit, (&vector));
  here = size - 1 - rank;
  CALL(MPI_Sendrecv,
       (a, 2, vector, (here + 1) % size, 0, b, 16, MPI_INT, (here + size - 1) % size, 0, reversed,
        MPI_STATUS_IGNORE),
       16 * I, 16 * I, 1, 1),
      message(size - 1 - (here + 1) % size, 16 * I);
  PLAIN(MPI_Type_free, (&vector));
  PLAIN(MPI_Comm_free, (&reversed));
  /* two halves and the way between them */
  PLAIN(MPI_Comm_split, (world, lower, rank, &half));
  leaders = lower ? size / 2 : 0;
  PLAIN(MPI_Intercomm_create, (half, 0, world, leaders, 7, &inter));
  if (rank == 0)
    CALL(MPI_Send, (a, 3, MPI_INT, 0, 8, inter), 3 * I, 0, 1, 0), message(size / 2, 3 * I);
  if (rank == size / 2)
    CALL(MPI_Recv, (b, 3, MPI_INT, 0, 8, inter, MPI_STATUS_IGNORE), 0, 3 * I, 0, 1);
  int root = lower ? (rank == 0 ? MPI_ROOT : MPI_PROC_NULL) : 0;
  CALL(MPI_Bcast, (b, 3, MPI_INT, root, inter), rank == 0 ? 3 * I : 0, lower ? 0 : 3 * I, 0, 0);
  CALL(MPI_Reduce, (a, b, 3, MPI_INT, MPI_SUM, root, inter), lower ? 0 : 3 * I,
       rank == 0 ? 3 * I : 0, 0, 0);
  int others = lower ? size - size / 2 : size / 2;
  CALL(MPI_Allgather, (a, 1, MPI_INT, b, 1, MPI_INT, inter), I, others * I, 0, 0);
  PLAIN(MPI_Comm_free, (&inter));
  PLAIN(MPI_Comm_free, (&half));
}

static void one_sided(void) {
  MPI_Win window;
  double one = 1, result;
  PLAIN(MPI_Win_create, (b, sizeof b, D, MPI_INFO_NULL, world, &window));
  PLAIN(MPI_Win_fence, (0, window));
  CALL(MPI_Put, (a, 4, MPI_DOUBLE, next, 0, 4, MPI_DOUBLE, window), 4 * D, 0, 0, 0);
  PLAIN(MPI_Put, (a, 4, MPI_DOUBLE, MPI_PROC_NULL, 0, 4, MPI_DOUBLE, window));
  PLAIN(MPI_Win_fence, (0, window));
  CALL(MPI_Get, (a, 3, MPI_DOUBLE, next, 0, 3, MPI_DOUBLE, window), 0, 3 * D, 0, 0);
  CALL(MPI_Accumulate, (a, 2, MPI_DOUBLE, next, 8, 2, MPI_DOUBLE, MPI_SUM, window), 2 * D, 0, 0, 0);
  PLAIN(MPI_Win_fence, (0, window));
  PLAIN(MPI_Win_lock, (MPI_LOCK_SHARED, next, 0, window));
  CALL(MPI_Fetch_and_op, (&one, &result, MPI_DOUBLE, next, 16, MPI_SUM, window), D, D, 0, 0);
  CALL(MPI_Get_accumulate,
       (&one, 1, MPI_DOUBLE, &result, 1, MPI_DOUBLE, next, 17, 1, MPI_DOUBLE, MPI_NO_OP, window), 0,
       D, 0, 0);
  PLAIN(MPI_Win_unlock, (next, window));
  PLAIN(MPI_Win_free, (&window));
}

/* MPI called from MPI's callback: counted below the callback's probe, not counted without one. */
static int deleted(MPI_Comm comm, int keyval, void* value, void* state) {
  int unused;
  (void)comm, (void)keyval, (void)state;
  if (value) {
    static struct andes_site site = ANDES_SITE("deleted", __FILE__, __LINE__, ANDES_KIND_FUNCTION);
    ANDES_PROBE(&site)
    PLAIN(MPI_Comm_size, (world, &unused));
  } else {
    MPI_Comm_size(world, &unused);
  }
  return MPI_SUCCESS;
}
static void callbacks(void) {
  int keyval;
  MPI_Comm copy;
  PLAIN(MPI_Comm_create_keyval, (MPI_COMM_NULL_COPY_FN, deleted, &keyval, NULL));
  for (int i = 0; i < 2; i++) {
    PLAIN(MPI_Comm_dup, (world, &copy));
    PLAIN(MPI_Comm_set_attr, (copy, keyval, i ? &copy : NULL));
    PLAIN(MPI_Comm_free, (&copy));
  }
  PLAIN(MPI_Comm_free_keyval, (&keyval));
}

int main(int argc, char** argv) {
  int provided;
  world = MPI_COMM_WORLD;
  PLAIN(MPI_Init_thread,
        (&argc, &argv, argc > 1 && !strcmp(argv[1], "multiple") ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided));
  PLAIN(MPI_Comm_rank, (world, &rank));
  PLAIN(MPI_Comm_size, (world, &size));
  next = (rank + 1) % size;
  previous = (rank + size - 1) % size;
  blocking();
  matched();
  many();
  /* With threads MPI_Waitall of Open MPI 4.1 may hang after an error, without andes too; and the number of calls is the
   * library's choice. */
  if (argc > 1 && !strcmp(argv[1], "failing")) failing();
  persistent();
  collectives();
  communicators();
  one_sided();
  callbacks();
  book("MPI_Finalize", 0, 0, 0, 0);
  for (int i = 0; i < booked; i++)
    printf("call %s %ld %ld %ld %ld %ld\n", books[i].name, books[i].visits, books[i].bytes_sent,
           books[i].bytes_received, books[i].messages_sent, books[i].messages_received);
  for (int i = 0; i < size; i++)
    if (matrix_messages[i])
      printf("matrix %d %d %ld %ld\n", rank, i, matrix_messages[i], matrix_bytes[i]);
  fflush(stdout);
  MPI_Finalize();
  return 0;
}
