/* A layer between the monitor and MPI whose calls return late once they have given a handle back: by then other
 * threads have got the same handle for something else, and what the monitor keeps of both must not be mixed up.
 * Not linked with MPI, as tests/programs/polling.
 *
 *   LD_PRELOAD="libandes.so liblate.so"
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void* below(const char* name) {
  void* found = dlsym(RTLD_NEXT, name);
  if (found) return found;
  fprintf(stderr, "late: no %s below this layer\n", name);
  abort();
}

static int late(int result) {
  const struct timespec pause = {0, 3000000};
  nanosleep(&pause, NULL);
  return result;
}

#define LATE(name, parameters, arguments)                               \
  int PMPI_##name parameters {                                          \
    static int(*real) parameters;                                       \
    if (!real) real = (int(*) parameters)below("PMPI_" #name);          \
    return late(real arguments);                                        \
  }
LATE(Request_free, (MPI_Request * request), (request))
LATE(Win_free, (MPI_Win * win), (win))
LATE(Comm_free, (MPI_Comm * comm), (comm))
LATE(Mrecv, (void* buffer, int count, MPI_Datatype type, MPI_Message* message, MPI_Status* status),
     (buffer, count, type, message, status))
LATE(Imrecv, (void* buffer, int count, MPI_Datatype type, MPI_Message* message, MPI_Request* request),
     (buffer, count, type, message, request))
LATE(Wait, (MPI_Request * request, MPI_Status* status), (request, status))
LATE(Waitall, (int count, MPI_Request* requests, MPI_Status* statuses), (count, requests, statuses))
LATE(Waitany, (int count, MPI_Request* requests, int* index, MPI_Status* status), (count, requests, index, status))
LATE(Waitsome, (int count, MPI_Request* requests, int* done, int* indices, MPI_Status* statuses),
     (count, requests, done, indices, statuses))
LATE(Test, (MPI_Request * request, int* flag, MPI_Status* status), (request, flag, status))
LATE(Testall, (int count, MPI_Request* requests, int* flag, MPI_Status* statuses), (count, requests, flag, statuses))
LATE(Testany, (int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status),
     (count, requests, index, flag, status))
