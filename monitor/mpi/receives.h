// Receives in the order of their posting, which is what numbers them: the k-th message of a channel
// meets the k-th receive in posting order that it may meet. A receive whose source and tag are given
// has its number at once, unless one from any source or with any tag was posted before on the
// communicator, might meet the same messages and is still open. Those wait, in posting order, until
// what is before them has found its message (docs/decisions/0090).
//
// Invariants:
//  - a communicator without such receives costs one comparison;
//  - records of a receive without a number are held with it and written once it has one, into the log
//    of the location whose call they are of;
//  - bounded: beyond `posting_limit`, or when such a receive is freed while it is open, nobody knows the
//    numbers of the communicator's receives any more, and all are unordered.
#pragma once
#include "monitor/mpi/events.h"

namespace andes::mpi {

constexpr std::uint32_t posting_limit = 1u << 16;

/// Id of the communicator on which MPI_Probe found a message and no receive has come since; 0: none.
extern std::uint64_t probed_comm;

/// Whether a receive of the communicator has its number at once, and nothing to do but to be written:
/// no receive before it is open, nor a probe.
inline bool is_settled(const Comm* comm) {
  return events && comm && comm->id != 0 && !comm->order_lost && probed_comm == 0 &&
         __atomic_load_n(&comm->first_posting, __ATOMIC_RELAXED) == 0;
}
/// Its record.
[[gnu::always_inline]] inline Place log_settled(const Visit& visit, const Comm& comm, int source,
                                                int tag, unsigned flags, std::uint64_t bytes) {
  const int world = world_rank(&comm, source);
  if (__builtin_expect(world < 0, 0)) {
    count_up(events->outside);
    return {};
  }
  const std::uint32_t channel =
      channel_of(location_of(visit), comm, world, tag, ChannelEnd::destination);
  return log_next(visit, channel, EventKind::receive, flags, bytes);
}

/// A receive is posted by this call; it will complete in another.
Ticket post_receive(const Visit& visit, Comm* comm, int source, int tag);

/// Another record of this receive, under its number.
void log_beside(const Record& record, Place place);

/// A blocking receive has received, as its status tells.
void log_received(const Visit& visit, Comm* comm, const MPI_Status* status, unsigned flags);

/// MPI_Mprobe or, not `waited`, MPI_Improbe has found a message: as a posted receive that has found it.
Ticket probe_matched(const Visit& visit, Comm* comm, const MPI_Status* status, bool waited);

/// MPI_Probe has waited for a message. If the next receive on the process asks for the first message of
/// that source and tag, it is this one, and the wait for it lay in the probe. Where threads may meet,
/// another one's receive may take it, so nothing is said of probes.
void probed(const Visit& visit, const Comm* comm, const MPI_Status* status);

/// The call receives a message that was found before (MPI_Mrecv), or posts its receive (MPI_Imrecv).
void receive_matched(const Visit& visit, Ticket& ticket, std::uint64_t bytes, bool pending);

/// A message between the call that found it and the one that receives it.
void keep_message(MPI_Message message, const Ticket& ticket);
Ticket take_message(MPI_Message message);

/// What a posted receive came to.
void complete_posted(const Visit& visit, const Ticket& ticket, const MPI_Status* status);
[[gnu::always_inline]] inline void complete_receive(const Visit& visit, const Ticket& ticket,
                                                    const MPI_Status* status) {
  if (__builtin_expect(ticket.place.channel == posted, 0)) complete_posted(visit, ticket, status);
  else log_completion(visit, EventKind::receive_completion, ticket);
}
void cancelled_receive(const Ticket& ticket);
void forget_receive(const Ticket& ticket); // MPI_Request_free

/// At the end: what still has no number is counted.
void forget_postings();

} // namespace andes::mpi
