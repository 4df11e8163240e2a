/* A layer between the monitor and MPI that waits with nanosleep instead of spinning.
 *
 * With more ranks than cores an MPI library that spins in a blocking call keeps the other ranks
 * from the cores: known answers then blur by tens of milliseconds. Preloaded after the monitor
 * this library takes the PMPI_ names of blocking calls, starts the non-blocking form and polls.
 * It is not linked with MPI: preloading it must not bring MPI into every process, and it names no
 * data of MPI, so that lazy binding leaves processes without MPI alone.
 *
 *   LD_PRELOAD="libandes.so libpolling.so"
 */
#include <errno.h>
#include <mpi.h>
#include <time.h>

enum { poll_ns = 500000 };

static int finish(int error, MPI_Request* request, MPI_Status* status) {
  int done = 0, saved = errno;
  while (error == MPI_SUCCESS) {
    error = PMPI_Test(request, &done, status);
    if (done) break;
    struct timespec pause = {0, poll_ns};
    nanosleep(&pause, NULL);
  }
  errno = saved;
  return error;
}

/* MPICH 4.0 leaves another source in the status of a non-blocking receive from MPI_PROC_NULL. */
static int finish_receive(int error, MPI_Request* request, MPI_Status* status, int from) {
  error = finish(error, request, status);
  if (from == MPI_PROC_NULL && status != MPI_STATUS_IGNORE) status->MPI_SOURCE = MPI_PROC_NULL;
  return error;
}

#define FINISH(call)                                                                               \
  MPI_Request request;                                                                             \
  return finish(call, &request, MPI_STATUS_IGNORE)

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

int PMPI_Send(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  FINISH(PMPI_Isend(buffer, count, type, to, tag, comm, &request));
}

int PMPI_Recv(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Status* status) {
  MPI_Request request;
  int error = PMPI_Irecv(buffer, count, type, from, tag, comm, &request);
  return finish_receive(error, &request, status, from);
}

int PMPI_Sendrecv(const void* send, int send_count, MPI_Datatype send_type, int to, int send_tag,
                  void* receive, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                  MPI_Status* status) {
  MPI_Request sending, receiving;
  int error = PMPI_Irecv(receive, count, type, from, tag, comm, &receiving);
  if (error != MPI_SUCCESS) return error;
  error = finish(PMPI_Isend(send, send_count, send_type, to, send_tag, comm, &sending), &sending,
                 MPI_STATUS_IGNORE);
  int received = finish_receive(MPI_SUCCESS, &receiving, status, from);
  return error != MPI_SUCCESS ? error : received;
}

int PMPI_Wait(MPI_Request* request, MPI_Status* status) {
  return finish(MPI_SUCCESS, request, status);
}

int PMPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  int done = 0, saved = errno, error;
  for (;;) {
    error = PMPI_Testall(count, requests, &done, statuses);
    if (error != MPI_SUCCESS || done) break;
    struct timespec pause = {0, poll_ns};
    nanosleep(&pause, NULL);
  }
  errno = saved;
  return error;
}
