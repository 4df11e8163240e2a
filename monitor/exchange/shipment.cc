#include "monitor/exchange/shipment.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace andes::monitor {
namespace {

/// The shipment to one rank: ranges of operations of one channel, and single operations.
struct Destination {
  struct Range {
    std::uint32_t channel;
    const Operation *begin, *end;
  };
  std::vector<Range> sends, accesses;
  std::vector<const Operation*> collectives;
  std::vector<const LockEpoch*> locks;
};

using Destinations = std::map<std::int32_t, Destination>;

void add_channels(Destinations& to, const std::vector<Operation>& operations,
                  std::vector<Destination::Range> Destination::* list, const EventTables& tables) {
  const Operation* const end = operations.data() + operations.size();
  for (const Operation* at = operations.data(); at != end;) {
    const Operation* last = at;
    while (last != end && last->channel == at->channel) ++last;
    const std::int32_t peer = tables.channels[at->channel].peer;
    if (peer >= 0) (to[peer].*list).push_back({at->channel, at, last});
    at = last;
  }
}

// The other side must be told of channels whose order is not known here; else its own records would
// count as unmatched.
void add_unordered(Destinations& to, const EventTables& tables) {
  for (std::uint32_t i = 0; i < tables.channel_count; ++i) {
    const Channel& channel = tables.channels[i];
    if (!channel.unordered || channel.peer < 0) continue;
    if (channel.end == ChannelEnd::source) to[channel.peer].sends.push_back({i, nullptr, nullptr});
    if (channel.end == ChannelEnd::origin) to[channel.peer].accesses.push_back({i, nullptr, nullptr});
  }
}

bool of_this_world(const Communicator& communicator) {
  return !communicator.world || std::find(communicator.world, communicator.world + communicator.size, -1) ==
                                    communicator.world + communicator.size;
}

/// The rank that compares a collective: a different one for each operation, so that all have an equal share.
std::int32_t owner_of(const Communicator& communicator, std::uint64_t key, std::uint32_t number) {
  std::uint64_t x = (key ^ number) * 0x9e3779b97f4a7c15u;
  x ^= x >> 32;
  const auto member = static_cast<std::uint32_t>(x % std::max(1u, communicator.size));
  return communicator.world ? communicator.world[member] : static_cast<std::int32_t>(member);
}

/// Sends epochs of all targets to those that no epoch of the same MPI_Win_lock_all accesses. Of a program that has very
/// many, the later ones are left out, which bounds the memory: their waits are not found.
void add_idle_locks(Destinations& to, const std::vector<LockEpoch>& locks, const EventTables& tables,
                    const std::vector<std::uint64_t>& locked_alone) {
  if (locked_alone.empty()) return;
  constexpr std::size_t most_sent = std::size_t{1} << 18;
  std::size_t sent = 0;
  const auto lock_of = [&](const LockEpoch& epoch, std::int32_t target) {
    const Operation& of = epoch.operation;
    return std::tuple(tables.channels[of.channel].communicator, of.start.thread, of.start.enter_ns, target);
  };
  std::set<std::tuple<std::uint32_t, std::int32_t, std::int64_t, std::int32_t>> accessed;
  for (const LockEpoch& epoch : locks)
    if (!is_of_all(epoch, tables) && !is_within(epoch, tables))
      accessed.insert(lock_of(epoch, tables.channels[epoch.operation.channel].peer));
  for (const LockEpoch& epoch : locks) {
    if (!is_of_all(epoch, tables)) continue;
    const Communicator& window = tables.communicators[tables.channels[epoch.operation.channel].communicator];
    for (std::uint32_t i = 0; i < window.size && sent < most_sent; ++i) {
      const std::int32_t target = window.world ? window.world[i] : static_cast<std::int32_t>(i);
      if (target >= 0 && static_cast<std::size_t>(target) < locked_alone.size() &&
          locked_alone[static_cast<std::size_t>(target)] != 0 && !accessed.contains(lock_of(epoch, target))) {
        to[target].locks.push_back(&epoch);
        ++sent;
      }
    }
  }
}

class Packing {
public:
  Packing(const Operations& operations, const EventTables& tables, const Sites& sites)
      : tables_(tables), list_(sites), first_collective_(operations.collectives.data()) {}

  Parcel parcel(const Destination& to) {
    Parcel body;
    put_channels(body, to.sends);
    put_channels(body, to.accesses);
    put(body, static_cast<std::uint64_t>(to.collectives.size()));
    for (const Operation* operation : to.collectives) put_collective(body, *operation);
    put(body, static_cast<std::uint64_t>(to.locks.size()));
    for (const LockEpoch* epoch : to.locks) put(body, wire(*epoch));
    Parcel parcel;
    list_.put_into(parcel);
    return parcel += body;
  }

private:
  void put_channels(Parcel& body, const std::vector<Destination::Range>& ranges) {
    put(body, static_cast<std::uint64_t>(ranges.size()));
    for (const Destination::Range& range : ranges) {
      const Channel& channel = tables_.channels[range.channel];
      put(body, ChannelWire{channel.key, static_cast<std::uint32_t>(range.end - range.begin), channel.unordered,
                            channel.next, channel.tag});
      for (const Operation* at = range.begin; at != range.end; ++at)
        put(body, PairWire{list_.wire(at->start), list_.wire(at->end), at->number & operation_number_mask,
                           at->completed, at->alone, 0, at->amount, static_cast<std::uint16_t>(at->start.thread),
                           static_cast<std::uint16_t>(at->end.thread), static_cast<float>(at->library_ns)});
    }
  }
  void put_collective(Parcel& body, const Operation& operation) {
    const Channel& channel = tables_.channels[operation.channel];
    const Communicator& communicator = tables_.communicators[channel.communicator];
    // Without a list no rank is waited for; an incomplete list would name the wrong rank.
    const bool listed = operation.kind == EventKind::neighbour && communicator.source_count <= UINT16_MAX;
    const auto sources = static_cast<std::uint16_t>(listed ? communicator.source_count : 0);
    put(body, CollectiveWire{list_.wire(operation.start), list_.wire(operation.end), channel.key, communicator.id,
                             operation.number, static_cast<std::uint32_t>(&operation - first_collective_),
                             communicator.rank, communicator.size, static_cast<std::uint8_t>(operation.kind),
                             operation.flags, sources, operation.root});
    for (std::uint16_t i = 0; i < sources; ++i) put(body, static_cast<std::uint32_t>(communicator.sources[i]));
  }
  LockWire wire(const LockEpoch& epoch) {
    const Operation& operation = epoch.operation;
    const Channel& channel = tables_.channels[operation.channel];
    return {list_.wire(operation.start),
            list_.wire(operation.end),
            list_.wire(epoch.blocked),
            tables_.communicators[channel.communicator].id,
            static_cast<std::uint16_t>(epoch.blocked.thread),
            static_cast<std::uint8_t>((operation.flags & event_exclusive) != 0),
            static_cast<std::uint8_t>(is_of_all(epoch, tables_)),
            static_cast<std::uint32_t>(is_within(epoch, tables_))};
  }

  const EventTables& tables_;
  SiteList list_;
  const Operation* first_collective_;
};

class ShipmentReading {
public:
  ShipmentReading(Sites& sites, Arrivals& arrivals) : sites_(sites), arrivals_(arrivals) {}

  bool read(std::int32_t rank, const Parcel& parcel) {
    Unpacking in(parcel);
    list_ = read_sites(in, sites_);
    read_channels(rank, in, arrivals_.sends);
    read_channels(rank, in, arrivals_.accesses);
    for (auto left = in.take<std::uint64_t>(); left > 0 && in.good(); --left) {
      auto wire = in.take<CollectiveWire>();
      for (CallWire* call : {&wire.start, &wire.end}) {
        call->site = static_cast<std::uint32_t>(site_at(list_, call->site));
        call->enter_ns = bounded_ns(call->enter_ns);
      }
      const auto first_source = static_cast<std::uint32_t>(arrivals_.sources.size());
      for (std::uint16_t i = 0; i < wire.sources && in.good(); ++i)
        arrivals_.sources.push_back(in.take<std::uint32_t>());
      if (in.good()) arrivals_.collectives.push_back({rank, wire, first_source});
    }
    for (auto left = in.take<std::uint64_t>(); left > 0 && in.good(); --left) {
      const auto wire = in.take<LockWire>();
      const auto call = [&](const CallWire& of) { return call_of(of, list_, wire.thread); };
      if (in.good() && wire.within) arrivals_.within.push_back({rank, wire.window, call(wire.lock)});
      else if (in.good())
        arrivals_.locks.push_back({rank, wire.window, wire.exclusive != 0, wire.idle != 0, call(wire.lock),
                                   call(wire.unlock), call(wire.blocked)});
    }
    return in.good() && in.at_end();
  }

private:
  void read_channels(std::int32_t rank, Unpacking& in, std::vector<ArrivedChannel>& channels) {
    for (auto left = in.take<std::uint64_t>(); left > 0 && in.good(); --left) {
      const auto head = in.take<ChannelWire>();
      ArrivedChannel channel{rank, head.key, head.unordered != 0, head.next, head.tag, {}};
      if (in.good() && head.count <= in.left() / sizeof(PairWire)) channel.operations.reserve(head.count);
      for (std::uint32_t i = 0; i < head.count && in.good(); ++i) {
        const auto wire = in.take<PairWire>();
        Operation operation;
        operation.start = call_of(wire.start, list_, wire.start_thread);
        operation.end = call_of(wire.end, list_, wire.end_thread);
        operation.number = wire.number;
        operation.amount = std::min(wire.amount, largest_short);
        operation.completed = wire.completed != 0;
        operation.alone = wire.alone != 0;
        operation.library_ns = wire.library_ns >= 0 && wire.library_ns < 0x1p60f ? wire.library_ns : 0;
        channel.operations.push_back(operation);
      }
      channels.push_back(std::move(channel));
    }
  }
  Sites& sites_;
  Arrivals& arrivals_;
  std::vector<std::int32_t> list_;
};

} // namespace

bool is_of_all(const LockEpoch& epoch, const EventTables& tables) {
  return tables.channels[epoch.operation.channel].tag == tag_lock_all;
}

bool is_within(const LockEpoch& epoch, const EventTables& tables) {
  return tables.channels[epoch.operation.channel].tag == tag_within;
}

std::vector<Parcel> shipment_of(const Operations& operations, const EventTables& tables, const Sites& sites, int ranks,
                                const std::vector<std::uint64_t>& locked_alone) {
  Destinations destinations;
  add_channels(destinations, operations.sends, &Destination::sends, tables);
  add_channels(destinations, operations.accesses, &Destination::accesses, tables);
  add_unordered(destinations, tables);
  for (const Operation& operation : operations.collectives) {
    const Channel& channel = tables.channels[operation.channel];
    const Communicator& communicator = tables.communicators[channel.communicator];
    if (of_this_world(communicator))
      destinations[owner_of(communicator, channel.key, operation.number)].collectives.push_back(&operation);
  }
  for (const LockEpoch& epoch : operations.locks) {
    const std::int32_t target = tables.channels[epoch.operation.channel].peer;
    if (target >= 0) destinations[target].locks.push_back(&epoch);
  }
  add_idle_locks(destinations, operations.locks, tables, locked_alone);
  Packing packing(operations, tables, sites);
  std::vector<Parcel> parcels(static_cast<std::size_t>(ranks));
  for (const auto& [rank, destination] : destinations)
    if (rank < ranks) parcels[static_cast<std::size_t>(rank)] = packing.parcel(destination);
  return parcels;
}

bool read_shipments(std::vector<Parcel>& parcels, Sites& sites, Arrivals& arrivals) {
  ShipmentReading reading(sites, arrivals);
  for (std::size_t rank = 0; rank < parcels.size(); ++rank) {
    if (!parcels[rank].empty() && !reading.read(static_cast<std::int32_t>(rank), parcels[rank])) return false;
    Parcel().swap(parcels[rank]);
  }
  return true;
}

} // namespace andes::monitor
