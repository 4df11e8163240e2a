// Events: the wrappers' records of messages and collectives in the log, under channel and number
// (monitor/core/event_log.h). They are written after the visit, so this work does not count as communication.
//
// Invariants:
//  - an operation takes its number whether its visit is measured or not; without a visit it has no
//    record;
//  - under MPI_THREAD_MULTIPLE a channel's number is taken at the end of the call; if another thread's
//    call on the channel ended within this one, their order is unknown: the channel is unordered
//    (docs/decisions/0090);
//  - nothing is written on communicators without an id, on those of one rank (collectives), and to or
//    from MPI_PROC_NULL.
#pragma once
#include "monitor/mpi/communicators.h"
#include "monitor/mpi/visit.h"

namespace andes::monitor::mpi {

/// Position of an operation on its channel.
struct Place {
  std::uint32_t channel = 0, number = 0; // channel 0: none
};

/// Data about a request's operation, kept until its completion.
struct Ticket {
  std::uint64_t library_ticks = ~std::uint64_t{0}; // time in MPI when the starting call returned; all ones:
                                                   // not measured
  Place place; // of a receive without a number yet: channel `posted`, and the number of the posting
};
inline constexpr std::uint32_t posted = ~0u;

inline bool is_measured(const Ticket& ticket) { return ~ticket.library_ticks != 0; }
inline Ticket ticket_of(const Visit& visit, Place place) {
  return {visit ? visit.location->library_ticks : ~std::uint64_t{0}, place};
}

inline void count_up(std::uint64_t& counter) { __atomic_fetch_add(&counter, 1, __ATOMIC_RELAXED); }

std::uint32_t find_channel_slowly(andes_location_data* location, const Comm& comm, ChannelName name, int distinct);

/// The channel with this end; 0: there is no room for it.
[[gnu::always_inline]] inline std::uint32_t channel_of(andes_location_data* location, const Comm& comm, int peer,
                                                       int tag, ChannelEnd end) {
  if (__builtin_expect(location && location->log.cache, 1)) {
    const std::uint32_t first = communicator_and_end({comm.index, peer, tag, end});
    const std::uint64_t second = peer_and_tag({comm.index, peer, tag, end});
    const CachedChannel& cached = location->log.cache[cache_slot(first, second)];
    if (__builtin_expect(cached.communicator_and_end == first && cached.peer_and_tag == second, 1))
      return cached.channel;
  }
  return find_channel_slowly(location, comm, {comm.index, peer, tag, end}, 0);
}

/// The call that an operation is part of.
struct Call {
  std::uint64_t enter_ticks, exit_ticks; // 0: not measured
  std::uint32_t thread;
};
inline Call call_of(const Visit& visit) {
  if (!visit) return {0, 0, 0};
  return {visit.enter_ticks, visit.enter_ticks + visit.ticks, visit.location->number};
}

/// Takes the next number of the channel. Channel 0 in the result: no number.
Place next_place_of_threads(std::uint32_t channel, const Call& call);
[[gnu::always_inline]] inline Place next_place_alone(std::uint32_t channel) {
  Channel& known = events->channels[channel];
  if (__builtin_expect(known.unordered, 0)) { // channel 0 is unordered, too
    if (channel == 0) count_up(events->lost);
    else if (known.unordered != left_out_of_log) count_up(events->unordered);
    return {};
  }
  return {channel, known.next++ & operation_number_mask};
}
inline Place next_place(std::uint32_t channel, const Call& call) {
  return threads ? next_place_of_threads(channel, call) : next_place_alone(channel);
}

/// An EventRecord as words, in registers: if its fields were stored one by one, reading it back at
/// once would stall the processor (failed store forwarding), which takes longer than all the rest.
struct Record {
  std::uint64_t time = 0;
  float duration_ticks = 0;
  std::uint32_t call = 0; // node and the high bits of the amount
  std::uint64_t place = 0; // the low bits of the amount
};

[[gnu::always_inline]] inline Record record_of(const Visit& visit, EventKind kind, unsigned flags,
                                               std::uint64_t amount) {
  const std::uint64_t code = short_of(amount);
  const std::uint64_t node = (visit.node->place - ANDES_ROOT) / sizeof(andes_node);
  return {((visit.enter_ticks - events->start_ticks) & event_ticks_mask) |
              static_cast<std::uint64_t>(kind) << event_kind_shift |
              static_cast<std::uint64_t>(flags) << event_flags_shift,
          static_cast<float>(static_cast<std::int64_t>(visit.ticks)),
          static_cast<std::uint32_t>((node & 0xffffff) | code >> 16 << 24), code << 48};
}

bool make_room(EventLog& log, Place place);

/// `place` has a channel, and no other thread writes into the log.
[[gnu::always_inline]] inline void append_alone(EventLog& log, const Record& record, Place place) {
  if (__builtin_expect(log.levels.any(), 0) && !event_stays(events->channels[place.channel], place.number, log.levels))
    return;
  if (__builtin_expect(log.count == log.limit, 0) && !make_room(log, place)) return;
  EventRecord* to = log.records + log.count;
  // A record that waits for its cache line would delay the stores of the next message.
  __builtin_prefetch(to + 11, 1);
  const std::uint64_t where = record.place | place.channel | static_cast<std::uint64_t>(place.number) << 24;
  auto* bytes = reinterpret_cast<unsigned char*>(to);
  __builtin_memcpy(bytes, &record.time, 8);
  __builtin_memcpy(bytes + 8, &record.duration_ticks, 4);
  __builtin_memcpy(bytes + 12, &record.call, 4);
  __builtin_memcpy(bytes + 16, &where, 8);
  __atomic_store_n(&log.count, log.count + 1, __ATOMIC_RELEASE); // a reader of the arena sees only complete records
}

void append(andes_location_data* location, const Record& record, Place place);

Place log_next_of_threads(const Visit& visit, std::uint32_t channel, EventKind kind, unsigned flags,
                          std::uint64_t amount);

/// Logs an operation of this call at the next place of `channel`.
[[gnu::always_inline]] inline Place log_next(const Visit& visit, std::uint32_t channel, EventKind kind, unsigned flags,
                                             std::uint64_t amount) {
  if (__builtin_expect(threads, 0)) return log_next_of_threads(visit, channel, kind, flags, amount);
  const Place place = next_place_alone(channel);
  if (__builtin_expect(visit && place.channel != 0, 1))
    append_alone(visit.location->log, record_of(visit, kind, flags, amount), place);
  return place;
}

/// The record of a completion.
inline Record completion_of(const Visit& visit, EventKind kind, const Ticket& ticket, unsigned flags) {
  // If another thread started the operation, the difference of the two threads' times may be any number: so
  // it is bounded below.
  const std::uint64_t before = visit.location->library_ticks - visit.ticks;
  return record_of(visit, kind, flags, before > ticket.library_ticks ? before - ticket.library_ticks : 0);
}

/// The call completes the operation of `ticket`; not for receives (receives.h). `flags`: event_alone or 0.
inline void log_completion(const Visit& visit, EventKind kind, const Ticket& ticket, unsigned flags = 0) {
  if (!visit || !events || !is_measured(ticket) || ticket.place.channel == 0) return;
  const Record record = completion_of(visit, kind, ticket, flags);
  if (__builtin_expect(threads, 0)) append(visit.location, record, ticket.place);
  else append_alone(visit.location->log, record, ticket.place);
}

/// The end of the run has come and no call has completed the operation. The record has no call, since the operation's
/// first record has it.
inline void log_open(const Place& place) {
  andes_location_data* location = location_here();
  if (!events || !location || place.channel == 0) return;
  const std::uint64_t ticks = (andes_ticks_now() - events->start_ticks) & event_ticks_mask;
  append(location, {ticks | static_cast<std::uint64_t>(EventKind::left_open) << event_kind_shift, 0, 0, 0}, place);
}

/// Whether operations of this communicator with rank `world` are logged; counts those that are not.
inline bool is_logged(const Comm* comm, int world) {
  if (!events || !comm) return false;
  if (__builtin_expect(comm->id != 0 && world >= 0, 1)) return true;
  count_up(events->outside);
  return false;
}

/// Logs a message of this call, with the next number of its channel.
[[gnu::always_inline]] inline Place log_message(const Visit& visit, const Comm* comm, int world, int tag,
                                                ChannelEnd end, EventKind kind, unsigned flags, std::uint64_t amount) {
  if (!is_logged(comm, world)) return {};
  return log_next(visit, channel_of(location_of(visit), *comm, world, tag, end), kind, flags, amount);
}
[[gnu::always_inline]] inline Place log_send(const Visit& visit, const Comm* comm, int world, int tag, unsigned flags,
                                             std::uint64_t amount) {
  return log_message(visit, comm, world, tag, ChannelEnd::source, EventKind::send, flags, amount);
}

/// Whether setting `events` names such calls.
inline bool is_wanted(LoggedCall calls) { return events && (events->logged_calls & calls) != 0; }
/// Logs a call that has no part in an operation, for rules alone. `world`: the rank that it concerns, or -1.
void log_call(const Visit& visit, const Comm& comm, int world, EventKind kind, std::uint64_t amount);

/// Logs the root of a collective if it is not that of the communicator's collective before; mostly it is. In an
/// inter-communicator only one group names it.
void log_new_root(const Visit& visit, Comm& comm, int root, Place place);
[[gnu::always_inline]] inline void log_root(const Visit& visit, Comm* comm, int root, Place place) {
  if (__builtin_expect(comm && root >= 0 && root + 1 != __atomic_load_n(&comm->last_root, __ATOMIC_RELAXED), 0))
    log_new_root(visit, *comm, root, place);
}

/// The channel of a communicator's collectives; 0: none are logged.
std::uint32_t find_collectives(Comm& comm);
inline std::uint32_t collectives_of(Comm* comm) {
  if (!events || !comm || comm->size + (comm->inter ? comm->peers : 0) == 1) return 0;
  return comm->collectives ? comm->collectives : find_collectives(*comm);
}
/// A separate channel for a persistent collective, whose starts may come in any order relative to
/// others. It is numbered by its MPI_..._init, which all ranks call in one order.
std::uint32_t persistent_channel(Comm* comm);

} // namespace andes::monitor::mpi
