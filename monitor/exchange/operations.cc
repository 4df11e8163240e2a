#include "monitor/exchange/operations.h"

#include <algorithm>
#include <compare>

#include "monitor/core/partitioned_tag.h"

namespace andes::monitor {
namespace {

/// Families of operations: records of one family belong together.
enum class Family : std::uint8_t { none, send, receive, collective, access, exposure, lock };

enum class OperationPart : std::uint8_t { probe, start, middle, end };

struct Role {
  Family family;
  OperationPart part;
};

Role role_of(EventKind kind) {
  switch (kind) {
  case EventKind::send: return {Family::send, OperationPart::start};
  case EventKind::send_completion: return {Family::send, OperationPart::end};
  case EventKind::probe: return {Family::receive, OperationPart::probe};
  case EventKind::receive: return {Family::receive, OperationPart::start};
  case EventKind::receive_completion: return {Family::receive, OperationPart::end};
  case EventKind::barrier:
  case EventKind::n_to_n:
  case EventKind::one_to_n:
  case EventKind::n_to_one:
  case EventKind::scan:
  case EventKind::neighbour:
  case EventKind::window_create:
  case EventKind::window_free:
  case EventKind::fence:
  case EventKind::file:
  case EventKind::communicator_create: return {Family::collective, OperationPart::start};
  case EventKind::collective_completion: return {Family::collective, OperationPart::end};
  case EventKind::start: return {Family::access, OperationPart::start};
  case EventKind::complete: return {Family::access, OperationPart::end};
  case EventKind::post: return {Family::exposure, OperationPart::start};
  case EventKind::wait: return {Family::exposure, OperationPart::end};
  case EventKind::lock: return {Family::lock, OperationPart::start};
  case EventKind::access: return {Family::lock, OperationPart::middle};
  case EventKind::unlock: return {Family::lock, OperationPart::end};
  default: return {Family::none, OperationPart::start};
  }
}

/// A record's place: its index in the log of a thread. The records of an operation stand together if
/// they are sorted: by number and family, then by time, as numbers wrap.
struct Place {
  std::uint64_t operation, ticks;
  std::uint32_t index;
  std::uint16_t thread;

  bool operator<(const Place& other) const {
    return operation != other.operation ? operation < other.operation : ticks < other.ticks;
  }
};

/// From this time on the root of the channel's collectives.
struct Root {
  std::uint32_t channel;
  std::uint64_t ticks;
  std::int32_t root;
  auto operator<=>(const Root&) const = default;
};

/// The mark of an open operation is of the family of its channel.
Role role_of(EventKind kind, ChannelEnd end) {
  if (kind != EventKind::left_open) return role_of(kind);
  switch (end) {
  case ChannelEnd::source: return {Family::send, OperationPart::end};
  case ChannelEnd::destination: return {Family::receive, OperationPart::end};
  case ChannelEnd::member: return {Family::collective, OperationPart::end};
  default: return {Family::none, OperationPart::end};
  }
}

Place place_of(const EventRecord& r, ChannelEnd end, std::uint32_t index, std::size_t thread) {
  const auto family = static_cast<std::uint64_t>(role_of(EventKind(r.kind), end).family);
  return {r.number << 8 | family, r.enter_ticks, index, static_cast<std::uint16_t>(thread)};
}

/// Whether the channel stands for the receives from any rank, or with any tag.
bool is_of_any(const Channel& channel) {
  return channel.end == ChannelEnd::destination && (channel.peer < 0 || channel.tag == -1);
}

class OperationsReading {
public:
  OperationsReading(const RankLog& log, const LogLevels& levels) : log_(log), levels_(levels) {
    sort_by_channel();
    if (!levels.any() && log.tables->lost == 0) find_roots();
  }

  Operations operations() {
    Operations all;
    all.unordered = unordered();
    for (std::uint32_t channel = 0; channel + 1 < first_.size(); ++channel) {
      const auto begin = places_.begin() + first_[channel], end = places_.begin() + first_[channel + 1];
      if (begin == end) continue;
      if (!std::is_sorted(begin, end)) std::sort(begin, end);
      for (auto at = begin; at != end;) at = read_one(all, at, end);
    }
    return all;
  }

private:
  using At = std::vector<Place>::iterator;

  const EventRecord& record(const Place& place) const { return log_.locations[place.thread].log->records[place.index]; }
  std::uint64_t unordered() const {
    std::uint64_t count = 0;
    for (const auto& location : log_.locations)
      for (std::uint32_t i = 0; location.log && i < location.log->count; ++i) {
        const EventRecord& r = location.log->records[i];
        const Role role = role_of(EventKind(r.kind));
        count += role.family != Family::none && role.part == OperationPart::start &&
                 r.channel < log_.tables->channel_count && log_.tables->channels[r.channel].unordered;
      }
    return count;
  }
  bool stays(const EventRecord& r) const {
    if (r.channel >= log_.tables->channel_count) return false;
    const Channel& channel = log_.tables->channels[r.channel];
    if (role_of(EventKind(r.kind), channel.end).family == Family::none) return false;
    return !channel.unordered && event_stays(channel, static_cast<std::uint32_t>(r.number), levels_);
  }
  template <class Each> void for_each_that_stays(Each each) const {
    for (std::size_t thread = 0; thread < log_.locations.size(); ++thread) {
      const EventLog* log = log_.locations[thread].log;
      for (std::uint32_t i = 0; log && i < log->count; ++i)
        if (stays(log->records[i])) each(log->records[i], i, thread);
    }
  }
  void sort_by_channel() {
    first_.assign(log_.tables->channel_count + std::size_t{1}, 0);
    for_each_that_stays([&](const EventRecord& r, std::uint32_t, std::size_t) { first_[r.channel + 1]++; });
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    places_.resize(static_cast<std::size_t>(first_.back()));
    std::vector<std::ptrdiff_t> next(first_.begin(), first_.end() - 1);
    for_each_that_stays([&](const EventRecord& r, std::uint32_t index, std::size_t thread) {
      places_[static_cast<std::size_t>(next[r.channel]++)] =
          place_of(r, log_.tables->channels[r.channel].end, index, thread);
    });
  }

  /// Reads the roots of collectives, which are in the log where they change: so no record may have been left out.
  void find_roots() {
    for (const LocationLog& location : log_.locations)
      for (std::uint32_t i = 0; location.log && i < location.log->count; ++i) {
        const EventRecord& r = location.log->records[i];
        if (EventKind(r.kind) == EventKind::request && (r.flags & event_root))
          roots_.push_back(
              {static_cast<std::uint32_t>(r.channel), r.enter_ticks, static_cast<std::int32_t>(r.amount())});
      }
    std::sort(roots_.begin(), roots_.end());
  }
  std::int32_t root_of(const EventRecord& r) const {
    const auto after = std::upper_bound(roots_.begin(), roots_.end(),
                                        Root{static_cast<std::uint32_t>(r.channel), r.enter_ticks, INT32_MAX});
    return after == roots_.begin() || (after - 1)->channel != r.channel ? -1 : (after - 1)->root;
  }

  Call call(const Place& place) const { return call_of(log_, place.thread, record(place)); }

  OperationPart part(const Place& place) const {
    const EventRecord& r = record(place);
    return role_of(EventKind(r.kind), log_.tables->channels[r.channel].end).part;
  }
  bool is_open_mark(const Place& place) const { return EventKind(record(place).kind) == EventKind::left_open; }

  // At most the time that passed: the time of polls whose region was closed is an estimate.
  double library_ns(const EventRecord& completion, const Operation& operation) const {
    const double noted_ns = static_cast<double>(long_of(completion.amount())) * log_.time.ns_per_tick;
    const auto passed_ns = static_cast<double>(operation.end.enter_ns - operation.start.exit_ns);
    return std::max(0.0, std::min(noted_ns, passed_ns));
  }

  At read_one(Operations& all, At at, At end) const {
    const std::uint64_t number = at->operation;
    const At probe = at;
    if (part(*at) == OperationPart::probe && (++at == end || at->operation != number)) return at;
    const EventRecord& first = record(*at);
    const Role role = role_of(EventKind(first.kind), log_.tables->channels[first.channel].end);
    if (is_open_mark(*at) && is_of_any(log_.tables->channels[first.channel]))
      all.open_receives.push_back({call(*at), static_cast<std::uint32_t>(first.channel)});
    if (role.part != OperationPart::start) return at + 1; // a record without its start
    if (probe != at) all.probes.push_back({all.receives.size(), call(*probe)});
    Operation operation;
    operation.start = operation.end = call(*at);
    operation.amount = first.amount();
    operation.channel = static_cast<std::uint32_t>(first.channel);
    operation.number = static_cast<std::uint32_t>(first.number);
    operation.kind = EventKind(first.kind);
    operation.flags = static_cast<std::uint8_t>(first.flags);
    if (operation.kind == EventKind::one_to_n || operation.kind == EventKind::n_to_one) operation.root = root_of(first);
    const bool one_call = role.family <= Family::collective && !(operation.flags & event_pending);
    operation.completed = one_call;
    operation.alone = one_call && !(operation.flags & event_combined);
    Call blocked = operation.start;
    const bool in_parts = role.family == Family::receive && is_partitioned(log_.tables->channels[first.channel].tag);
    for (++at; at != end && at->operation == number && !operation.completed; ++at) {
      if (in_parts && part(*at) == OperationPart::probe) {
        all.probes.push_back({all.receives.size(), call(*at)});
        continue;
      }
      if (part(*at) <= OperationPart::start) break; // the numbers have wrapped
      if (is_open_mark(*at)) {
        operation.open = true;
        continue;
      }
      const Call next = call(*at);
      if (next.exit_ns - next.enter_ns > blocked.exit_ns - blocked.enter_ns) blocked = next;
      if (part(*at) != OperationPart::end) continue;
      operation.end = next;
      operation.completed = true;
      operation.alone = (record(*at).flags & event_alone) != 0;
      if (role.family <= Family::receive) operation.library_ns = library_ns(record(*at), operation);
    }
    // A thread may ask for parts while another one waits for the whole message.
    for (; in_parts && at != end && at->operation == number && part(*at) == OperationPart::probe; ++at)
      all.probes.push_back({all.receives.size(), call(*at)});
    switch (role.family) {
    case Family::send: all.sends.push_back(operation); break;
    case Family::receive: all.receives.push_back(operation); break;
    case Family::collective: all.collectives.push_back(operation); break;
    case Family::access: all.accesses.push_back(operation); break;
    case Family::exposure: all.exposures.push_back(operation); break;
    case Family::lock: all.locks.push_back({operation, blocked}); break;
    case Family::none: break;
    }
    return at;
  }

  const RankLog& log_;
  LogLevels levels_;
  std::vector<std::ptrdiff_t> first_; // index in places_ of each channel's first record
  std::vector<Place> places_;         // by channel
  std::vector<Root> roots_;           // by channel and time
};

} // namespace

bool starts_operation(EventKind kind) {
  const Role role = role_of(kind);
  return role.part == OperationPart::start && role.family != Family::none;
}

Call call_of(const RankLog& log, std::size_t thread, const EventRecord& r) {
  const LocationLog& location = log.locations[thread];
  Call call;
  call.enter_ns = log.time.at(r.enter_ticks);
  call.exit_ns = call.enter_ns + std::llround(static_cast<double>(r.duration_ticks) * log.time.ns_per_tick);
  call.site = r.node < location.sites.size() ? location.sites[r.node] : -1;
  call.thread = static_cast<std::int32_t>(thread);
  return call;
}

Operations operations_of(const RankLog& log, const LogLevels& levels) {
  return OperationsReading(log, levels).operations();
}

} // namespace andes::monitor
