// See transfer.h. Messages of each size go to and fro a few times. The shortest round trip gives the
// time of a message. Then the leader makes no MPI calls until the answer must have come: the time
// that its receive still takes is work that no network does for it, as is the time in MPI_Isend.
//
// The follower answers each message with as many bytes, until the leader marks a message as the last:
// so only the leader watches the time, and it can stop in the middle of a size on a crowded machine.
#include "monitor/mpi/transfer.h"

#include <mpi.h>
#include <sched.h>

#include <cstdlib>
#include <cstring>

#include "monitor/clock/clock.h"
#include "monitor/mpi/transport.h"

namespace andes::monitor::mpi {
namespace {

constexpr int tag = 2;
constexpr std::int64_t enough_ns = 500000,
                       most_ns = 10 * enough_ns; // beyond `enough` each size gets one trip of a kind
constexpr char answer = 1, last = 0; // first byte of a message

/// Small messages are sent more often, since only the least disturbed trip counts.
int trips_of(int bytes) { return bytes <= 8192 ? 24 : 4; }
int silent_trips_of(int bytes) { return bytes <= 8192 ? 8 : 2; }

/// Two buffers; they are not freed if a message fails, since MPI may still use them.
struct Line {
  MPI_Comm comm;
  int peer, most_bytes;
  char *out, *in;
  std::int64_t deadline_ns;
  MPI_Request sending, receiving;
};

/// Tests until done. It does not sleep, but yields now and then: on a full node the peer needs the core.
bool wait(const Line& line, MPI_Request* request, MPI_Status* status = MPI_STATUS_IGNORE) {
  const std::int64_t begin_ns = monotonic_ns();
  for (;;) {
    int flag = 0;
    if (PMPI_Test(request, &flag, status) != MPI_SUCCESS) return false;
    if (flag) return true;
    const std::int64_t now_ns = monotonic_ns();
    if (now_ns > line.deadline_ns) return false;
    if (now_ns - begin_ns > 20000) sched_yield();
  }
}

bool post(Line& line) {
  return PMPI_Irecv(line.in, line.most_bytes, MPI_BYTE, line.peer, tag, line.comm, &line.receiving) == MPI_SUCCESS;
}
bool send(Line& line, int bytes) {
  return PMPI_Isend(line.out, bytes, MPI_BYTE, line.peer, tag, line.comm, &line.sending) == MPI_SUCCESS;
}

void keep_least(double& least_ns, std::int64_t ns) {
  if (least_ns == 0 || (double)ns < least_ns) least_ns = (double)ns;
}

/// Measures one size, in at least one trip and a silent one; `time` stays 0 if `last_ns` comes first.
bool lead(Line& line, int bytes, andes_message_time& time, std::int64_t until_ns, std::int64_t last_ns) {
  const int trips = trips_of(bytes), all = trips + silent_trips_of(bytes);
  double trip_ns = 0, sending_ns = 0, receiving_ns = 0;
  line.out[0] = answer;
  for (int i = 0; i < all; i++) {
    const std::int64_t now_ns = monotonic_ns();
    if (now_ns >= until_ns && i > 0 && i < trips) i = trips;
    if (now_ns >= last_ns || (now_ns >= until_ns && receiving_ns > 0)) break;
    if (!post(line)) return false;
    const std::int64_t begin_ns = monotonic_ns();
    if (!send(line, bytes)) return false;
    std::int64_t back_ns = monotonic_ns();
    keep_least(sending_ns, back_ns - begin_ns);
    if (i >= trips) // the answer arrives meanwhile, if it can without MPI calls here
      while ((double)((back_ns = monotonic_ns()) - begin_ns) < 2 * trip_ns) {}
    if (!wait(line, &line.receiving)) return false;
    const std::int64_t end_ns = monotonic_ns();
    if (i < trips) keep_least(trip_ns, end_ns - begin_ns);
    else keep_least(receiving_ns, end_ns - back_ns);
    if (!wait(line, &line.sending)) return false;
  }
  if (receiving_ns > 0) time = {trip_ns / 2, sending_ns + receiving_ns};
  return true;
}

bool say_last(Line& line) {
  line.out[0] = last;
  return send(line, 1) && wait(line, &line.sending);
}

bool follow(Line& line) {
  for (;;) {
    MPI_Status status;
    int bytes = 0;
    if (!post(line) || !wait(line, &line.receiving, &status)) return false;
    if (line.in[0] == last) return true;
    if (PMPI_Get_count(&status, MPI_BYTE, &bytes) != MPI_SUCCESS || !send(line, bytes) || !wait(line, &line.sending))
      return false;
  }
}

} // namespace

int time_messages(int peer, int leads, const std::size_t* bytes, int count, andes_message_time* times,
                  std::int64_t deadline_ns) {
  const MPI_Comm comm = private_communicator();
  if (comm == MPI_COMM_NULL || count < 1) return 1;
  const std::size_t most = bytes[count - 1];
  auto* buffers = (char*)malloc(2 * most);
  if (!buffers) return transport_failed();
  memset(buffers, 1, 2 * most);
  Line line = {comm, peer, (int)most, buffers, buffers + most, deadline_ns, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  const std::int64_t begin_ns = monotonic_ns(), until_ns = begin_ns + enough_ns, last_ns = begin_ns + most_ns;
  bool good = true;
  if (leads) {
    for (int i = 0; i < count && good; i++) good = lead(line, (int)bytes[i], times[i], until_ns, last_ns);
    good = good && say_last(line);
  } else {
    good = follow(line);
  }
  if (!good) return transport_failed();
  free(buffers);
  return 0;
}

} // namespace andes::monitor::mpi
