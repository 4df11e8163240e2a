/* mpi_requests.c: requests and communicators in odd hands. Two ranks, MPI_THREAD_MULTIPLE.
 *
 *   mpi_requests         all of it; each case is a function of main */
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>

#include "odd.h"

static int rank, other;

/* The communicator is freed while messages on it are under way. */
FUNCTION void freed_communicator(void) {
  MPI_Comm copy;
  MPI_Request requests[2];
  int mine = rank, got = -1;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Irecv(&got, 1, MPI_INT, other, 3, copy, &requests[0]);
  MPI_Isend(&mine, 1, MPI_INT, other, 3, copy, &requests[1]);
  MPI_Comm_free(&copy);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  NEED(got == other);
}

struct handed {
  MPI_Request request;
  int got;
};
static void *completes(void *argument) {
  struct handed *handed = argument;
  MPI_Status status;
  int count = 0;
  MPI_Wait(&handed->request, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  NEED(count == 1 && handed->got == other);
  return NULL;
}
FUNCTION void completed_by_thread(void) {
  struct handed handed[4];
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) {
    MPI_Irecv(&handed[i].got, 1, MPI_INT, other, 10 + i, MPI_COMM_WORLD, &handed[i].request);
    NEED(pthread_create(&threads[i], NULL, completes, &handed[i]) == 0);
  }
  for (int i = 3; i >= 0; i--) MPI_Send(&rank, 1, MPI_INT, other, 10 + i, MPI_COMM_WORLD);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
}

FUNCTION void persistent(void) {
  MPI_Request requests[2];
  int mine = 0, got = -1;
  MPI_Recv_init(&got, 1, MPI_INT, other, 4, MPI_COMM_WORLD, &requests[0]);
  MPI_Send_init(&mine, 1, MPI_INT, other, 4, MPI_COMM_WORLD, &requests[1]);
  for (int i = 0; i < 6; i++) {
    mine = i;
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    NEED(got == i);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
}

FUNCTION void cancelled(void) {
  int got = -1, flag = 0;
  for (int i = 0; i < 3; i++) {
    MPI_Request request;
    MPI_Status status;
    MPI_Irecv(&got, 1, MPI_INT, other, 77, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &flag);
    NEED(flag);
  }
}

/* The sender frees its request and knows by an answer that the message has come. */
FUNCTION void freed_request(void) {
  MPI_Request request;
  int mine = rank, got = -1;
  MPI_Isend(&mine, 1, MPI_INT, other, 5, MPI_COMM_WORLD, &request);
  MPI_Request_free(&request);
  MPI_Recv(&got, 1, MPI_INT, other, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  NEED(got == other);
}

FUNCTION int query(void *state, MPI_Status *status) {
  MPI_Status_set_elements(status, MPI_INT, *(int *)state);
  MPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = MPI_UNDEFINED;
  status->MPI_TAG = MPI_UNDEFINED;
  return MPI_SUCCESS;
}
FUNCTION int released(void *state) {
  ++*(int *)state;
  return MPI_SUCCESS;
}
FUNCTION int never_cancelled(void *state, int complete) {
  (void)state, (void)complete;
  return MPI_SUCCESS;
}
static void *grants(void *request) {
  MPI_Grequest_complete(*(MPI_Request *)request);
  return NULL;
}
FUNCTION void generalised(void) {
  static int state = 7;
  for (int i = 0; i < 2; i++) {
    MPI_Request request, handle;
    MPI_Status status;
    pthread_t thread;
    int count = 0;
    MPI_Grequest_start(query, released, never_cancelled, &state, &request);
    handle = request;
    NEED(pthread_create(&thread, NULL, grants, &handle) == 0);
    MPI_Wait(&request, &status);
    pthread_join(thread, NULL);
    MPI_Get_elements(&status, MPI_INT, &count);
    NEED(count == 7 + i);
  }
}

/* The two halves of the world, joined again. */
FUNCTION void intercommunicator(void) {
  MPI_Comm half, both;
  MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, other, 9, &both);
  int mine = 100 + rank, got = -1, sum = -1;
  MPI_Sendrecv(&mine, 1, MPI_INT, 0, 1, &got, 1, MPI_INT, 0, 1, both, MPI_STATUS_IGNORE);
  MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, both);
  NEED(got == 100 + other && sum == 100 + other);
  MPI_Comm_free(&both);
  MPI_Comm_free(&half);
}

FUNCTION void partitioned(void) {
#if MPI_VERSION >= 4
  static double data[8], got[8];
  MPI_Request request;
  for (int i = 0; i < 8; i++) data[i] = i + 10 * rank;
  if (rank == 0) MPI_Psend_init(data, 4, 2, MPI_DOUBLE, 1, 6, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  else MPI_Precv_init(got, 4, 2, MPI_DOUBLE, 0, 6, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  for (int round = 0; round < 3; round++) {
    MPI_Start(&request);
    if (rank == 0)
      for (int i = 3; i >= 0; i--) MPI_Pready(i, request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 1) NEED(got[7] == 7);
  }
  MPI_Request_free(&request);
#endif
}

static int handler_calls;
FUNCTION void on_error(MPI_Comm *comm, int *code, ...) {
  (void)comm, (void)code;
  handler_calls++;
}
FUNCTION void error_handler(void) {
  MPI_Errhandler handler, before;
  int value = 0;
  MPI_Comm_create_errhandler(on_error, &handler);
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &before);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  for (int i = 0; i < 4; i++) MPI_Send(&value, 1, MPI_INT, 1000, 1, MPI_COMM_WORLD);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, before);
  MPI_Errhandler_free(&handler);
  NEED(handler_calls == 4);
}

int main(int argc, char **argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  other = 1 - rank;
  freed_communicator();
  if (provided == MPI_THREAD_MULTIPLE) completed_by_thread();
  persistent();
  cancelled();
  freed_request();
  if (provided == MPI_THREAD_MULTIPLE) generalised();
  intercommunicator();
  partitioned();
  error_handler();
  printf("rank %d provided %d\n", rank, provided);
  MPI_Finalize();
  return 3;
}
