// Receives are numbered in posting order: the k-th message of a channel meets the k-th receive in
// posting order that can match it. A receive with given source and tag gets its number at once,
// unless an earlier receive on the communicator with any source or any tag can match the same
// messages and is still open. Such receives wait, in posting order, until the earlier ones have
// found their messages (docs/decisions/0090).
//
// Invariants:
//  - a communicator without such receives costs one comparison;
//  - records of a receive without a number are held with it, and written once it has one, into the
//    log of the location that made the call;
//  - bounded: beyond `posting_limit`, or when such a receive is freed while it is open, the numbers of
//    the communicator's receives are unknown, and all are unordered.
#pragma once
#include "monitor/mpi/events.h"

namespace andes::monitor::mpi {

constexpr std::uint32_t posting_limit = 1u << 16;

/// Id of the communicator on which MPI_Probe has found a message that no receive has followed yet; 0: none.
extern std::uint64_t probed_comm;

/// Whether a receive of the communicator gets its number at once and only its record must be written:
/// no earlier receive and no probe is open.
inline bool is_settled(const Comm* comm) {
  return events && comm && comm->id != 0 && !comm->order_lost && probed_comm == 0 &&
         __atomic_load_n(&comm->first_posting, __ATOMIC_RELAXED) == 0;
}
/// Logs such a receive.
[[gnu::always_inline]] inline Place log_settled(const Visit& visit, const Comm& comm, int source, int tag,
                                                unsigned flags, std::uint64_t bytes) {
  const int world = world_rank(&comm, source);
  if (__builtin_expect(world < 0, 0)) {
    count_up(events->outside);
    return {};
  }
  const std::uint32_t channel = channel_of(location_of(visit), comm, world, tag, ChannelEnd::destination);
  return log_next(visit, channel, EventKind::receive, flags, bytes);
}

/// This call posts a receive; another call will complete it.
Ticket post_receive(const Visit& visit, Comm* comm, int source, int tag);

/// Logs another record of the receive under its number.
void log_beside(const Record& record, Place place);

/// Logs a blocking receive, by its status.
void log_received(const Visit& visit, Comm* comm, const MPI_Status* status, unsigned flags);

/// MPI_Mprobe or MPI_Improbe has found a message: it counts as a posted receive that has found it. `wait`: the call
/// that waited for it, or the loop over such calls.
Ticket probe_matched(const Visit& visit, Comm* comm, const MPI_Status* status, const Visit& wait);

/// MPI_Probe has waited for a message. If the next receive on the process asks for the first message of
/// that source and tag, it receives this one, and the wait for the message was in the probe. With
/// several threads another thread's receive may take the message, so probes are not logged.
void probed(const Visit& visit, const Comm* comm, const MPI_Status* status);

/// The call receives a message that was found before (MPI_Mrecv), or posts its receive (MPI_Imrecv).
void receive_matched(const Visit& visit, Ticket& ticket, std::uint64_t bytes, bool pending);

/// What a receive without a number may receive.
struct Posted {
  Place place;                // it has got a number meanwhile
  bool searching = false;     // its source or tag, -1 here, is not known yet
  std::uint32_t communicator = 0;
  int source = 0, tag = 0; // the source is a rank of the world
};
Posted find_posted(const Ticket& ticket);

/// Completes a posted receive. `flags`: event_alone or 0.
void complete_posted(const Visit& visit, const Ticket& ticket, const MPI_Status* status, unsigned flags);
[[gnu::always_inline]] inline void complete_receive(const Visit& visit, const Ticket& ticket, const MPI_Status* status,
                                                    unsigned flags = 0) {
  if (__builtin_expect(ticket.place.channel == posted, 0)) complete_posted(visit, ticket, status, flags);
  else log_completion(visit, EventKind::receive_completion, ticket, flags);
}
void cancelled_receive(const Ticket& ticket);
void forget_receive(const Ticket& ticket); // MPI_Request_free

/// At the end: records that no call has completed a receive.
void log_open_receive(const Ticket& ticket);

/// At the end: counts receives that still have no number.
void forget_postings();

} // namespace andes::monitor::mpi
