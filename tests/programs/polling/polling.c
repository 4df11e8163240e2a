/* A layer between the monitor and MPI that waits with nanosleep instead of spinning.
 *
 * With more ranks than cores an MPI library that spins in a blocking call keeps the other ranks
 * from the cores: known answers then blur by tens of milliseconds. Preloaded after the monitor
 * this library takes the PMPI_ names of blocking calls, starts the non-blocking form and polls;
 * windows.c does the same for one-sided communication, and in_time.c lets sleepers wake up in time. It
 * is not linked with MPI: preloading it must not bring MPI into every process, so it names data of MPI
 * weakly at most, and lazy binding leaves processes without MPI alone. A layer above the monitor would
 * hide the wrappers from the test.
 *
 *   LD_PRELOAD="libandes.so libpolling.so"
 *
 * POLLING_LATENCY_US in the environment gives the machine a slow network: what MPI_Recv receives
 * then arrives that many microseconds after its MPI_Send began, and not before. (A program under
 * this setting begins with MPI_Init_thread, and has no messages but of these two calls.)
 */
#define _GNU_SOURCE
#include "polling.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifdef OPEN_MPI
#pragma weak ompi_mpi_comm_world
#pragma weak ompi_mpi_byte
#endif

/* Who has waited for seconds waits on in longer pauses: where waking up takes 50 us, as in some virtual machines, twenty ranks
 * that are in a deadlock would take all cores with the short ones. */
enum { short_pauses = 5000, short_ns = 500000, long_ns = 20000000 };

void polling_pause(int before) {
  struct timespec pause = {0, before < short_pauses ? short_ns : long_ns};
  clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
}

int polling_finish(int error, MPI_Request* request, MPI_Status* status) {
  int done = 0, saved = errno;
  for (int pauses = 0; error == MPI_SUCCESS; pauses++) {
    error = PMPI_Test(request, &done, status);
    if (done) break;
    polling_pause(pauses);
  }
  errno = saved;
  return error;
}

void* polling_below(const char* name) {
  void* found = dlsym(RTLD_NEXT, name);
  polling_leave_class();
  if (found) return found;
  fprintf(stderr, "polling: no %s below this layer\n", name);
  abort();
}

/* Latency: the time of each send travels beside it on a communicator of the layer's own, where the
 * same source and tag find it in the same order. */
static MPI_Comm times_comm;
static int64_t latency_ns;

static int64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void begin_latency(void) {
  const char* text = getenv("POLLING_LATENCY_US");
  if (text && PMPI_Comm_dup(MPI_COMM_WORLD, &times_comm) == MPI_SUCCESS)
    latency_ns = atoll(text) * 1000;
}

static void tell_time(int64_t sent_ns, int to, int tag) {
  MPI_Request request;
  polling_finish(PMPI_Isend(&sent_ns, sizeof sent_ns, MPI_BYTE, to, tag, times_comm, &request),
                 &request, MPI_STATUS_IGNORE);
}

static void await_arrival(int from, int tag) {
  int64_t sent_ns = 0;
  MPI_Request request;
  polling_finish(PMPI_Irecv(&sent_ns, sizeof sent_ns, MPI_BYTE, from, tag, times_comm, &request),
                 &request, MPI_STATUS_IGNORE);
  int64_t arrival_ns = sent_ns + latency_ns;
  struct timespec t = {arrival_ns / 1000000000, arrival_ns % 1000000000};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR) {
  }
}

/* Not PMPI_Init: by that name the monitor would take this for an MPI library. */
int PMPI_Init_thread(int* argc, char*** argv, int wanted, int* provided) {
  int (*below)(int*, char***, int, int*) =
      (int (*)(int*, char***, int, int*))polling_below("PMPI_Init_thread");
  int error = below(argc, argv, wanted, provided);
  if (error == MPI_SUCCESS) begin_latency();
  return error;
}

/* Collectives. */

#define FINISH(call)                                                                               \
  MPI_Request request;                                                                             \
  return polling_finish(call, &request, MPI_STATUS_IGNORE)

int PMPI_Barrier(MPI_Comm comm) { FINISH(PMPI_Ibarrier(comm, &request)); }

int PMPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  FINISH(PMPI_Ibcast(buffer, count, type, root, comm, &request));
}

int PMPI_Reduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, int root,
                MPI_Comm comm) {
  FINISH(PMPI_Ireduce(send, receive, count, type, op, root, comm, &request));
}

int PMPI_Allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm) {
  FINISH(PMPI_Iallreduce(send, receive, count, type, op, comm, &request));
}

int PMPI_Scan(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
              MPI_Comm comm) {
  FINISH(PMPI_Iscan(send, receive, count, type, op, comm, &request));
}

int PMPI_Gather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int count,
                MPI_Datatype type, int root, MPI_Comm comm) {
  FINISH(PMPI_Igather(send, send_count, send_type, receive, count, type, root, comm, &request));
}

int PMPI_Gatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                 const int counts[], const int places[], MPI_Datatype type, int root,
                 MPI_Comm comm) {
  FINISH(PMPI_Igatherv(send, send_count, send_type, receive, counts, places, type, root, comm,
                       &request));
}

int PMPI_Scatter(const void* send, int send_count, MPI_Datatype send_type, void* receive, int count,
                 MPI_Datatype type, int root, MPI_Comm comm) {
  FINISH(PMPI_Iscatter(send, send_count, send_type, receive, count, type, root, comm, &request));
}

int PMPI_Allgather(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                   int count, MPI_Datatype type, MPI_Comm comm) {
  FINISH(PMPI_Iallgather(send, send_count, send_type, receive, count, type, comm, &request));
}

int PMPI_Alltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                  int count, MPI_Datatype type, MPI_Comm comm) {
  FINISH(PMPI_Ialltoall(send, send_count, send_type, receive, count, type, comm, &request));
}

int PMPI_Neighbor_alltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                           int count, MPI_Datatype type, MPI_Comm comm) {
  FINISH(PMPI_Ineighbor_alltoall(send, send_count, send_type, receive, count, type, comm,
                                 &request));
}

/* Messages. */

/* MPICH 4.0 leaves another source in the status of a non-blocking receive from MPI_PROC_NULL. */
static int finish_receive(int error, MPI_Request* request, MPI_Status* status, int from) {
  error = polling_finish(error, request, status);
  if (from == MPI_PROC_NULL && status != MPI_STATUS_IGNORE) status->MPI_SOURCE = MPI_PROC_NULL;
  return error;
}

int PMPI_Send(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  MPI_Request request;
  int64_t sent_ns = latency_ns ? now_ns() : 0;
  int error = polling_finish(PMPI_Isend(buffer, count, type, to, tag, comm, &request), &request,
                             MPI_STATUS_IGNORE);
  if (latency_ns && error == MPI_SUCCESS && to != MPI_PROC_NULL) tell_time(sent_ns, to, tag);
  return error;
}

int PMPI_Ssend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  FINISH(PMPI_Issend(buffer, count, type, to, tag, comm, &request));
}

int PMPI_Recv(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Status* status) {
  MPI_Request request;
  MPI_Status own;
  if (latency_ns && status == MPI_STATUS_IGNORE) status = &own;
  int error = PMPI_Irecv(buffer, count, type, from, tag, comm, &request);
  error = finish_receive(error, &request, status, from);
  if (latency_ns && error == MPI_SUCCESS && from != MPI_PROC_NULL)
    await_arrival(status->MPI_SOURCE, status->MPI_TAG);
  return error;
}

int PMPI_Sendrecv(const void* send, int send_count, MPI_Datatype send_type, int to, int send_tag,
                  void* receive, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                  MPI_Status* status) {
  MPI_Request sending, receiving;
  int error = PMPI_Irecv(receive, count, type, from, tag, comm, &receiving);
  if (error != MPI_SUCCESS) return error;
  error = polling_finish(PMPI_Isend(send, send_count, send_type, to, send_tag, comm, &sending),
                         &sending, MPI_STATUS_IGNORE);
  int received = finish_receive(MPI_SUCCESS, &receiving, status, from);
  return error != MPI_SUCCESS ? error : received;
}

/* Asks `ask`, which sets `done`, until it is done or has failed. */
#define POLL(ask)                                                                                  \
  int done = 0, saved = errno, error, pauses = 0;                                                  \
  while ((error = ask) == MPI_SUCCESS && !done) polling_pause(pauses++);                           \
  errno = saved;                                                                                   \
  return error

int PMPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status* status) {
  POLL(PMPI_Iprobe(from, tag, comm, &done, status));
}

int PMPI_Mprobe(int from, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status) {
  POLL(PMPI_Improbe(from, tag, comm, &done, message, status));
}

int PMPI_Mrecv(void* buffer, int count, MPI_Datatype type, MPI_Message* message,
               MPI_Status* status) {
  MPI_Request request;
  return polling_finish(PMPI_Imrecv(buffer, count, type, message, &request), &request, status);
}

int PMPI_Wait(MPI_Request* request, MPI_Status* status) {
  return polling_finish(MPI_SUCCESS, request, status);
}

int PMPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  POLL(PMPI_Testall(count, requests, &done, statuses));
}

int PMPI_Waitany(int count, MPI_Request requests[], int* index, MPI_Status* status) {
  POLL(PMPI_Testany(count, requests, index, &done, status));
}

/* Some are done when their number is not zero, also when it is MPI_UNDEFINED. */
int PMPI_Waitsome(int count, MPI_Request requests[], int* number, int indices[],
                  MPI_Status statuses[]) {
  POLL((error = PMPI_Testsome(count, requests, number, indices, statuses), done = *number != 0,
        error));
}
