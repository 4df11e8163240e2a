// See events.h.
#include "monitor/mpi/events.h"

namespace andes::monitor::mpi {
namespace {

enum : std::uint64_t { key_message = 1, key_collective, key_persistent, key_epoch };

std::uint64_t pair_key(const Comm& comm, std::uint64_t of, int from, int to, int tag) {
  const std::uint64_t ranks =
      static_cast<std::uint64_t>(static_cast<std::uint32_t>(from)) << 32 | static_cast<std::uint32_t>(to);
  return event_hash(event_hash(event_hash(comm.id, of), ranks), static_cast<std::uint32_t>(tag));
}

std::uint64_t key_of(const Comm& comm, const ChannelName& name, int distinct) {
  switch (name.end) {
  case ChannelEnd::source: return pair_key(comm, key_message, own_rank, name.peer, name.tag);
  case ChannelEnd::destination: return pair_key(comm, key_message, name.peer, own_rank, name.tag);
  case ChannelEnd::origin: return pair_key(comm, key_epoch, own_rank, name.peer, name.tag);
  case ChannelEnd::target: return pair_key(comm, key_epoch, name.peer, own_rank, name.tag);
  case ChannelEnd::member:
  default:
    return event_hash(event_hash(comm.id, distinct ? key_persistent : key_collective),
                      static_cast<std::uint64_t>(distinct));
  }
}

} // namespace

std::uint32_t find_channel_slowly(andes_location_data* location, const Comm& comm, ChannelName name, int distinct) {
  return andes_channel(location, &name, key_of(comm, name, distinct));
}

std::uint32_t find_collectives(Comm& comm) {
  if (comm.id == 0) {
    count_up(events->outside);
    return 0;
  }
  const std::uint32_t channel = find_channel_slowly(nullptr, comm, {comm.index, -1, 0, ChannelEnd::member}, 0);
  if (channel == 0) count_up(events->lost);
  return comm.collectives = channel;
}

std::uint32_t persistent_channel(Comm* comm) {
  if (!events || !comm || comm->id == 0) return 0;
  const auto number = static_cast<int>(__atomic_add_fetch(&comm->persistent, 1, __ATOMIC_RELAXED));
  if (comm->size + (comm->inter ? comm->peers : 0) == 1) return 0;
  return find_channel_slowly(nullptr, *comm, {comm->index, -1, number, ChannelEnd::member}, number);
}

void log_call(const Visit& visit, const Comm& comm, int world, EventKind kind, std::uint64_t amount) {
  if (!visit || comm.id == 0) return;
  const std::uint32_t channel = channel_of(visit.location, comm, world, tag_call, ChannelEnd::origin);
  if (channel == 0) return count_up(events->lost);
  const std::uint32_t number =
      __atomic_fetch_add(&events->channels[channel].next, 1, __ATOMIC_RELAXED) & operation_number_mask;
  append(visit.location, record_of(visit, kind, 0, amount), {channel, number});
}

void log_new_root(const Visit& visit, Comm& comm, int root, Place place) {
  if (!visit || place.channel == 0 || comm.inter) return;
  __atomic_store_n(&comm.last_root, root + 1, __ATOMIC_RELAXED);
  append(visit.location, record_of(visit, EventKind::request, event_root, static_cast<std::uint64_t>(root)), place);
}

Place next_place_of_threads(std::uint32_t channel, const Call& call) {
  if (channel == 0) {
    count_up(events->lost);
    return {};
  }
  Channel& known = events->channels[channel];
  Guard guard(known.lock);
  if (call.enter_ticks != 0) {
    if (known.thread != call.thread && call.enter_ticks < known.last_exit_ticks && known.unordered == 0)
      known.unordered = order_unknown;
    known.thread = call.thread;
    if (known.last_exit_ticks < call.exit_ticks) known.last_exit_ticks = call.exit_ticks;
  }
  const std::uint32_t number = known.next++ & operation_number_mask;
  if (known.unordered) {
    if (known.unordered != left_out_of_log) count_up(events->unordered);
    return {};
  }
  return {channel, number};
}

void append(andes_location_data* location, const Record& record, Place place) {
  if (place.channel == 0) return;
  Guard guard(location->log.lock);
  append_alone(location->log, record, place);
}

Place log_next_of_threads(const Visit& visit, std::uint32_t channel, EventKind kind, unsigned flags,
                          std::uint64_t amount) {
  const Place place = next_place_of_threads(channel, call_of(visit));
  if (visit) append(visit.location, record_of(visit, kind, flags, amount), place);
  return place;
}

bool make_room(EventLog& log, Place place) {
  if (!andes_log_room(&log)) {
    count_up(events->lost);
    return false;
  }
  return event_stays(events->channels[place.channel], place.number, log.levels);
}

} // namespace andes::monitor::mpi
