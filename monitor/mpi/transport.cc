// See transport.h.
#include "monitor/mpi/transport.h"

#include <mpi.h>
#include <sched.h>

#include <cstdlib>
#include <cstring>
#include <ctime>

#include "monitor/core/clock.h"

namespace andes::mpi {
namespace {

constexpr int tag = 1;
MPI_Comm communicator = MPI_COMM_NULL;
bool broken;
andes_transport face;

/// Tests until done: for 2 ms without a pause but leaving the core to whoever wants it, since a rank
/// that sleeps gets its core back late; then with growing sleeps, for ranks that are far behind.
bool wait(MPI_Request* request, MPI_Status* status, std::int64_t deadline_ns) {
  constexpr std::int64_t awake_ns = 2000000;
  const std::int64_t begin_ns = monotonic_ns();
  long pause_ns = 50000;
  for (;;) {
    int flag = 0;
    if (PMPI_Test(request, &flag, status) != MPI_SUCCESS) return false;
    if (flag) return true;
    const std::int64_t now_ns = monotonic_ns();
    if (now_ns > deadline_ns) return false;
    if (now_ns - begin_ns < awake_ns) {
      sched_yield();
      continue;
    }
    timespec pause = {0, pause_ns};
    nanosleep(&pause, nullptr);
    if (pause_ns < 1000000) pause_ns *= 2;
  }
}

int failed() {
  broken = true;
  return 1;
}

int send(int to, const void* data, std::size_t bytes, std::int64_t deadline_ns) {
  if (broken) return 1;
  void* copy = malloc(bytes ? bytes : 1);
  if (!copy) return failed();
  memcpy(copy, data, bytes);
  MPI_Request request;
  if (PMPI_Isend(copy, (int)bytes, MPI_BYTE, to, tag, communicator, &request) != MPI_SUCCESS ||
      !wait(&request, MPI_STATUS_IGNORE, deadline_ns))
    return failed(); // MPI may still read the copy: it stays
  free(copy);
  return 0;
}

int receive(int from, void* data, std::size_t bytes, std::int64_t deadline_ns) {
  if (broken) return 1;
  void* copy = malloc(bytes ? bytes : 1);
  if (!copy) return failed();
  MPI_Request request;
  MPI_Status status;
  int count = 0;
  if (PMPI_Irecv(copy, (int)bytes, MPI_BYTE, from, tag, communicator, &request) != MPI_SUCCESS ||
      !wait(&request, &status, deadline_ns))
    return failed(); // MPI may still write the copy: it stays
  PMPI_Get_count(&status, MPI_BYTE, &count);
  memcpy(data, copy, bytes);
  free(copy);
  return (std::size_t)count == bytes ? 0 : failed();
}

/// How long the ranks may take to come together at the start: a minute, for they all leave MPI_Init
/// at once, or the wait that the settings allow at the end if that is shorter.
std::int64_t start_timeout_ns() {
  const char* text = getenv("ANDES_GATHER_TIMEOUT_S");
  double seconds = text ? strtod(text, nullptr) : 0;
  return (std::int64_t)((seconds > 0 && seconds < 60 ? seconds : 60) * 1e9);
}

} // namespace

bool open_transport() {
  MPI_Errhandler before = MPI_ERRHANDLER_NULL;
  MPI_Request request = MPI_REQUEST_NULL;
  PMPI_Comm_get_errhandler(MPI_COMM_WORLD, &before);
  PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  bool made = PMPI_Comm_idup(MPI_COMM_WORLD, &communicator, &request) == MPI_SUCCESS &&
              wait(&request, MPI_STATUS_IGNORE, monotonic_ns() + start_timeout_ns());
  PMPI_Comm_set_errhandler(MPI_COMM_WORLD, before);
  if (before != MPI_ERRHANDLER_NULL) PMPI_Errhandler_free(&before);
  if (!made) return false;
  PMPI_Comm_set_errhandler(communicator, MPI_ERRORS_RETURN);
  PMPI_Comm_rank(communicator, &face.rank);
  PMPI_Comm_size(communicator, &face.size);
  face.send = send;
  face.receive = receive;
  return true;
}

const andes_transport* transport() { return &face; }

bool close_transport() {
  if (broken) return false;
  PMPI_Comm_free(&communicator);
  return true;
}

} // namespace andes::mpi
