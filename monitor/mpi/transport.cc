// See transport.h.
#include "monitor/mpi/transport.h"

#include <mpi.h>
#include <sched.h>

#include <cstdlib>
#include <cstring>
#include <ctime>

#include "monitor/clock/clock.h"
#include "monitor/mpi/transfer.h"

namespace andes::monitor::mpi {
namespace {

constexpr int tag = 1;
MPI_Comm communicator = MPI_COMM_NULL;
bool broken;
andes_transport face;

/// Tests until done: for 4 ms without sleeping, but yielding the core, since a rank that sleeps gets its
/// core back late (with 2 ms, less than rank 0 takes for the file of a small program, others left 0.05 ms late);
/// then with sleeps that are a small part of the time waited so far, so that the rank notices a message late by
/// such a part at most: in MPI_Finalize all ranks wait for a late one.
bool wait(MPI_Request* request, MPI_Status* status, std::int64_t deadline_ns) {
  constexpr std::int64_t awake_ns = 4000000, part = 32, longest_ns = 1000000;
  const std::int64_t begin_ns = monotonic_ns();
  for (;;) {
    int flag = 0;
    if (PMPI_Test(request, &flag, status) != MPI_SUCCESS) return false;
    if (flag) return true;
    const std::int64_t now_ns = monotonic_ns();
    if (now_ns > deadline_ns) return false;
    const std::int64_t waited_ns = now_ns - begin_ns;
    if (waited_ns < awake_ns) {
      sched_yield();
      continue;
    }
    const timespec pause = {0, waited_ns / part < longest_ns ? waited_ns / part : longest_ns};
    nanosleep(&pause, nullptr);
  }
}

int failed() {
  broken = true;
  return 1;
}

/// A message on its way in either direction. MPI only gets a copy, which is not freed if the message
/// must be given up.
struct Message {
  void* copy = nullptr;
  MPI_Request request = MPI_REQUEST_NULL;
};

bool begin_send(Message& message, int to, const void* data, std::size_t bytes) {
  message.copy = malloc(bytes ? bytes : 1);
  if (!message.copy) return false;
  memcpy(message.copy, data, bytes);
  return PMPI_Isend(message.copy, static_cast<int>(bytes), MPI_BYTE, to, tag, communicator, &message.request) ==
         MPI_SUCCESS;
}

bool end_send(Message& message, std::int64_t deadline_ns) {
  if (!wait(&message.request, MPI_STATUS_IGNORE, deadline_ns)) return false;
  free(message.copy);
  return true;
}

bool begin_receive(Message& message, int from, std::size_t bytes) {
  message.copy = malloc(bytes ? bytes : 1);
  return message.copy && PMPI_Irecv(message.copy, static_cast<int>(bytes), MPI_BYTE, from, tag, communicator,
                                    &message.request) == MPI_SUCCESS;
}

bool end_receive(Message& message, void* data, std::size_t bytes, std::int64_t deadline_ns) {
  MPI_Status status;
  int count = 0;
  if (!wait(&message.request, &status, deadline_ns)) return false;
  PMPI_Get_count(&status, MPI_BYTE, &count);
  memcpy(data, message.copy, bytes);
  free(message.copy);
  return static_cast<std::size_t>(count) == bytes;
}

int send(int to, const void* data, std::size_t bytes, std::int64_t deadline_ns) {
  Message message;
  if (broken) return 1;
  return begin_send(message, to, data, bytes) && end_send(message, deadline_ns) ? 0 : failed();
}

int receive(int from, void* data, std::size_t bytes, std::int64_t deadline_ns) {
  Message message;
  if (broken) return 1;
  return begin_receive(message, from, bytes) && end_receive(message, data, bytes, deadline_ns) ? 0 : failed();
}

int swap(int to, const void* data, std::size_t bytes, int from, void* their_data, std::size_t their_bytes,
         std::int64_t deadline_ns) {
  Message theirs, own;
  if (broken) return 1;
  if (their_bytes && !begin_receive(theirs, from, their_bytes)) return failed();
  if (bytes && !begin_send(own, to, data, bytes)) return failed();
  if (their_bytes && !end_receive(theirs, their_data, their_bytes, deadline_ns)) return failed();
  if (bytes && !end_send(own, deadline_ns)) return failed();
  return 0;
}

int exchange_sizes(const std::uint64_t* out, std::uint64_t* in, std::int64_t deadline_ns) {
  if (broken) return 1;
  const std::size_t bytes = static_cast<std::size_t>(face.size) * sizeof *out;
  auto* copy = static_cast<std::uint64_t*>(malloc(2 * bytes));
  if (!copy) return failed();
  memcpy(copy, out, bytes);
  MPI_Request request;
  if (PMPI_Ialltoall(copy, 1, MPI_UINT64_T, copy + face.size, 1, MPI_UINT64_T, communicator, &request) != MPI_SUCCESS ||
      !wait(&request, MPI_STATUS_IGNORE, deadline_ns))
    return failed(); // MPI may still use the copy: it is not freed
  memcpy(in, copy + face.size, bytes);
  free(copy);
  return 0;
}

int largest(std::uint64_t* values, int count, std::int64_t deadline_ns) {
  if (broken) return 1;
  const std::size_t bytes = static_cast<std::size_t>(count) * sizeof *values;
  auto* copy = static_cast<std::uint64_t*>(malloc(2 * bytes));
  if (!copy) return failed();
  memcpy(copy, values, bytes);
  MPI_Request request;
  if (PMPI_Iallreduce(copy, copy + count, count, MPI_UINT64_T, MPI_MAX, communicator, &request) != MPI_SUCCESS ||
      !wait(&request, MPI_STATUS_IGNORE, deadline_ns))
    return failed(); // MPI may still use the copy: it is not freed
  memcpy(values, copy + count, bytes);
  free(copy);
  return 0;
}

int gather_all(const void* own, std::size_t bytes, void* all, std::int64_t deadline_ns) {
  if (broken) return 1;
  const std::size_t all_bytes = static_cast<std::size_t>(face.size) * bytes;
  auto* copy = static_cast<char*>(malloc(bytes + all_bytes));
  if (!copy) return failed();
  memcpy(copy, own, bytes);
  MPI_Request request;
  if (PMPI_Iallgather(copy, static_cast<int>(bytes), MPI_BYTE, copy + bytes, static_cast<int>(bytes), MPI_BYTE,
                      communicator, &request) != MPI_SUCCESS ||
      !wait(&request, MPI_STATUS_IGNORE, deadline_ns))
    return failed(); // MPI may still use the copy: it is not freed
  memcpy(all, copy + bytes, all_bytes);
  free(copy);
  return 0;
}

/// Deadline for the ranks' meeting at the start: a minute, since all leave MPI_Init at about the
/// same time, or the time that the settings allow at the end if that is shorter.
std::int64_t start_timeout_ns() {
  const char* text = getenv("ANDES_GATHER_TIMEOUT_S");
  double seconds = text ? strtod(text, nullptr) : 0;
  return static_cast<std::int64_t>((seconds > 0 && seconds < 60 ? seconds : 60) * 1e9);
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
  face.swap = swap;
  face.exchange_sizes = exchange_sizes;
  face.largest = largest;
  face.gather_all = gather_all;
  face.time_messages = time_messages;
  return true;
}

const andes_transport* transport() { return &face; }

MPI_Comm private_communicator() { return broken ? MPI_COMM_NULL : communicator; }

int transport_failed() { return failed(); }

bool close_transport() {
  if (broken) return false;
  PMPI_Comm_free(&communicator);
  return true;
}

} // namespace andes::monitor::mpi
