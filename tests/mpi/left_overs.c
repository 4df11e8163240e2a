/* left_overs.c: what a program of two ranks leaves over at its end; the lines are those of the calls.
 *
 *   left_overs send | receive | request | any | order | root | missing | persistent | failed | freed | off | none */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static char buffer[8];
static int rank;

static void sends(int count, int tag) {
  int i;
  for (i = 0; i < count; i++) MPI_Send(buffer, 1, MPI_CHAR, 1, tag, MPI_COMM_WORLD);
}

static void receives(int count, int tag) {
  int i;
  for (i = 0; i < count; i++) MPI_Recv(buffer, 1, MPI_CHAR, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void posts(int source, int tag) {
  MPI_Request request;
  MPI_Irecv(buffer + 1, 1, MPI_CHAR, source, tag, MPI_COMM_WORLD, &request);
}

static void persists(void) {
  MPI_Request request, idle;
  MPI_Recv_init(buffer + 2, 1, MPI_CHAR, 0, 9, MPI_COMM_WORLD, &request);
  MPI_Recv_init(buffer + 3, 1, MPI_CHAR, 0, 8, MPI_COMM_WORLD, &idle); /* never started: not left over */
  MPI_Start(&request);
}

/* Messages that are too long for persistent receives: the calls that complete these fail, and the requests are inactive. */
static void fails(void) {
  MPI_Request requests[3];
  int i, index = MPI_UNDEFINED, flag = 0;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (i = 0; i < 3; i++) MPI_Recv_init(buffer + i, 1, MPI_CHAR, 0, 10 + i, MPI_COMM_WORLD, &requests[i]);
  MPI_Startall(3, requests);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
  while (!flag && MPI_Testany(1, &requests[2], &index, &flag, MPI_STATUS_IGNORE) == MPI_SUCCESS) {
  }
}

static void begins_barrier(void) {
  MPI_Request request;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
}

static void broadcasts(int root) { MPI_Bcast(buffer, 1, MPI_CHAR, root, MPI_COMM_WORLD); }

static void gathers(int root) {
  char all[2];
  MPI_Gather(buffer, 1, MPI_CHAR, all, 1, MPI_CHAR, root, MPI_COMM_WORLD);
}

static void frees_send(void) {
  MPI_Request request;
  MPI_Isend(buffer, 1, MPI_CHAR, 1, 4, MPI_COMM_WORLD, &request);
  MPI_Request_free(&request);
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "none";
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) sends(2, 1);
  else receives(2, 1);
  if (!strcmp(what, "send") && rank == 0) sends(3, 7);
  if (!strcmp(what, "receive") && rank == 1) posts(0, 7);
  if (!strcmp(what, "any") && rank == 1) posts(MPI_ANY_SOURCE, MPI_ANY_TAG);
  if (!strcmp(what, "request")) {
    if (rank == 0) sends(1, 7);
    else posts(0, 7);
  }
  if (!strcmp(what, "persistent") && rank == 1) persists();
  if (!strcmp(what, "failed") && rank == 1) fails();
  for (int i = 0; !strcmp(what, "failed") && rank == 0 && i < 3; i++)
    MPI_Send(buffer, 2, MPI_CHAR, 1, 10 + i, MPI_COMM_WORLD);
  if (!strcmp(what, "missing") && rank == 1) begins_barrier();
  if (!strcmp(what, "root")) {
    if (rank == 0) broadcasts(0);
    else broadcasts(1);
  }
  if (!strcmp(what, "order")) { /* each sends what the other one takes second */
    if (rank == 0) broadcasts(0), gathers(1);
    else gathers(1), broadcasts(0);
  }
  if (!strcmp(what, "freed")) {
    if (rank == 0) frees_send();
    else receives(1, 4);
  }
  if (!strcmp(what, "off")) { /* both sides of each message are there; one of them is not measured */
    MPI_Pcontrol(rank);
    if (rank == 0) sends(2, 5);
    else receives(2, 5);
    MPI_Pcontrol(1);
  }
  MPI_Finalize();
  return 0;
}
