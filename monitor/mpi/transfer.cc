// See transfer.h. Each size goes to and fro a few times. The least of the round trips tells what a
// message takes; then the leader stays away from MPI until the answer must have come, and what its
// receive still takes then is work that no network does for it, as is the time in MPI_Isend.
#include "monitor/mpi/transfer.h"

#include <mpi.h>
#include <sched.h>

#include <cstdlib>
#include <cstring>

#include "monitor/core/clock.h"
#include "monitor/mpi/transport.h"

namespace andes::mpi {
namespace {

constexpr int tag = 2;
constexpr int trips = 4, silent_trips = 3; // of each size
constexpr std::int64_t enough_ns = 1000000;

/// Tests until done. Nobody sleeps here, but on a full node the core must go to the peer some time.
bool wait(MPI_Request* request, std::int64_t deadline_ns) {
  const std::int64_t begin_ns = monotonic_ns();
  for (;;) {
    int flag = 0;
    if (PMPI_Test(request, &flag, MPI_STATUS_IGNORE) != MPI_SUCCESS) return false;
    if (flag) return true;
    const std::int64_t now_ns = monotonic_ns();
    if (now_ns > deadline_ns) return false;
    if (now_ns - begin_ns > 20000) sched_yield();
  }
}

/// Two buffers of `bytes`; they stay when a message fails, since MPI may still use them.
struct Line {
  MPI_Comm comm;
  int peer, bytes;
  char *out, *in;
  std::int64_t deadline_ns;
  MPI_Request sending, receiving;
};

bool post(Line& line) {
  return PMPI_Irecv(line.in, line.bytes, MPI_BYTE, line.peer, tag, line.comm, &line.receiving) ==
         MPI_SUCCESS;
}
bool send(Line& line) {
  return PMPI_Isend(line.out, line.bytes, MPI_BYTE, line.peer, tag, line.comm, &line.sending) ==
         MPI_SUCCESS;
}

void keep_least(double& least_ns, std::int64_t ns) {
  if (least_ns == 0 || (double)ns < least_ns) least_ns = (double)ns;
}

bool lead(Line& line, andes_message_time& time) {
  double trip_ns = 0, sending_ns = 0, receiving_ns = 0;
  for (int i = 0; i < trips + silent_trips; i++) {
    if (!post(line)) return false;
    const std::int64_t begin_ns = monotonic_ns();
    if (!send(line)) return false;
    std::int64_t back_ns = monotonic_ns();
    keep_least(sending_ns, back_ns - begin_ns);
    if (i >= trips) // the answer comes meanwhile, if it can without us
      while ((double)((back_ns = monotonic_ns()) - begin_ns) < 2 * trip_ns) {}
    if (!wait(&line.receiving, line.deadline_ns)) return false;
    const std::int64_t end_ns = monotonic_ns();
    if (i < trips) keep_least(trip_ns, end_ns - begin_ns);
    else keep_least(receiving_ns, end_ns - back_ns);
    if (!wait(&line.sending, line.deadline_ns)) return false;
  }
  time = {trip_ns / 2, sending_ns + receiving_ns};
  return true;
}

bool follow(Line& line) {
  for (int i = 0; i < trips + silent_trips; i++)
    if (!post(line) || !wait(&line.receiving, line.deadline_ns) || !send(line) ||
        !wait(&line.sending, line.deadline_ns))
      return false;
  return true;
}

} // namespace

int time_messages(int peer, int leads, const std::size_t* bytes, int count,
                  andes_message_time* times, std::int64_t deadline_ns) {
  const MPI_Comm comm = private_communicator();
  if (comm == MPI_COMM_NULL || count < 1) return 1;
  const std::size_t most = bytes[count - 1];
  auto* buffers = (char*)malloc(2 * most);
  if (!buffers) return transport_failed();
  memset(buffers, 1, 2 * most);
  Line line = {comm, peer, 0, buffers, buffers + most, deadline_ns, MPI_REQUEST_NULL,
               MPI_REQUEST_NULL};
  const std::int64_t begin_ns = monotonic_ns();
  for (int i = 0; i < count; i++) {
    char more = monotonic_ns() - begin_ns < enough_ns; // the leader decides
    const int failed = leads ? transport()->send(peer, &more, 1, deadline_ns)
                             : transport()->receive(peer, &more, 1, deadline_ns);
    if (failed) return 1;
    if (!more) break;
    line.bytes = (int)bytes[i];
    if (leads ? !lead(line, times[i]) : !follow(line)) return transport_failed();
  }
  free(buffers);
  return 0;
}

} // namespace andes::mpi
