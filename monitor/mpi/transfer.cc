// See transfer.h. Messages of each size go to and fro a few times (trips.h). The shortest round trip gives the
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
#include "monitor/mpi/trips.h"

namespace andes::monitor::mpi {
namespace {

constexpr int tag = 2;
constexpr char answer = 1, last = 0; // first byte of a message
// A thread that yields where others want its core gets it back after some milliseconds, and its trip is lost. So it
// spins for 0.3 ms, longer than a long message takes, before it yields.
constexpr std::int64_t patience_ns = 300000;

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
    if (now_ns - begin_ns > patience_ns) sched_yield();
  }
}

bool post(Line& line) {
  return PMPI_Irecv(line.in, line.most_bytes, MPI_BYTE, line.peer, tag, line.comm, &line.receiving) == MPI_SUCCESS;
}
bool send(Line& line, int bytes) {
  return PMPI_Isend(line.out, bytes, MPI_BYTE, line.peer, tag, line.comm, &line.sending) == MPI_SUCCESS;
}

bool make_trip(Line& line, const Trip& trip, int bytes, TripTimes& at) {
  if (!post(line)) return false;
  at.begin_ns = monotonic_ns();
  if (!send(line, bytes)) return false;
  at.sent_ns = at.back_ns = monotonic_ns();
  if (trip.silent) // the answer arrives meanwhile, if it can without MPI calls here
    while (static_cast<double>((at.back_ns = monotonic_ns()) - at.begin_ns) < trip.silent_ns) {}
  if (!wait(line, &line.receiving)) return false;
  at.end_ns = monotonic_ns();
  return wait(line, &line.sending);
}

/// Measures the sizes in turn, as far as there is time.
bool lead(Line& line, const std::size_t* bytes, int count, andes_message_time* times) {
  line.out[0] = answer;
  Trips trips(bytes, count, times, monotonic_ns());
  TripTimes at;
  for (Trip trip; trips.next(monotonic_ns(), trip); trips.add(trip, at))
    if (!make_trip(line, trip, static_cast<int>(bytes[trip.size]), at)) return false;
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
  auto* buffers = static_cast<char*>(malloc(2 * most));
  if (!buffers) return transport_failed();
  memset(buffers, 1, 2 * most);
  Line line = {comm,           peer,        static_cast<int>(most), buffers,
               buffers + most, deadline_ns, MPI_REQUEST_NULL,       MPI_REQUEST_NULL};
  const bool good = leads ? lead(line, bytes, count, times) && say_last(line) : follow(line);
  if (!good) return transport_failed();
  free(buffers);
  return 0;
}

} // namespace andes::monitor::mpi
