// A job whose logs are written by hand: ticks are nanoseconds, all ranks share one clock.
#pragma once
#include <catch2/catch.hpp>
#include <algorithm>
#include <memory>

#include "monitor/clock/clock.h"
#include "monitor/exchange/thread_ranks.h"
#include "monitor/exchange/waits.h"

namespace andes::test {

using namespace monitor;

inline std::int64_t in_seconds(double seconds) {
  return monotonic_ns() + static_cast<std::int64_t>(seconds * 1e9);
}

/// When a call was entered and left, and its function with the call path above it.
struct At {
  std::uint64_t enter, exit;
  std::string path; // main/MPI_Recv
};

struct FakeLog {
  int rank = 0;
  std::vector<CallSite> sites;
  std::vector<std::vector<EventRecord>> records{1}; // by thread
  std::vector<Channel> channels;
  std::vector<Communicator> communicators;
  EventTables tables;
  std::vector<EventLog> logs;
  TimeLine time;
  std::int64_t end_ns = INT64_MIN; // of the main thread, which begins at 0

  std::uint32_t site(const std::string& path) {
    const std::uint64_t hash = std::hash<std::string>()(path);
    for (std::uint32_t i = 0; i < sites.size(); ++i)
      if (sites[i].path == hash) return i;
    sites.push_back({hash, path.substr(path.rfind('/') + 1)});
    return static_cast<std::uint32_t>(sites.size() - 1);
  }
  std::uint32_t channel(std::uint64_t key, std::uint32_t communicator, int peer, int tag,
                        ChannelEnd end) {
    for (std::uint32_t i = 0; i < channels.size(); ++i)
      if (channels[i].key == key && channels[i].end == end) return i;
    Channel channel{};
    channel.key = key;
    channel.communicator = communicator;
    channel.peer = peer;
    channel.tag = tag;
    channel.end = end;
    channels.push_back(channel);
    return static_cast<std::uint32_t>(channels.size() - 1);
  }
  void record(EventKind kind, unsigned flags, std::uint32_t of_channel, std::uint32_t number,
              const At& at, std::uint64_t bytes = 8, std::size_t thread = 0) {
    EventRecord r{};
    r.enter_ticks = at.enter;
    r.kind = static_cast<std::uint64_t>(kind);
    r.flags = flags;
    r.duration_ticks = static_cast<float>(at.exit - at.enter);
    r.node = site(at.path);
    r.channel = of_channel;
    r.number = number;
    r.set_amount(short_of(bytes));
    if (records.size() <= thread) records.resize(thread + 1);
    records[thread].push_back(r);
  }
};

class FakeJob {
public:
  explicit FakeJob(int size) {
    for (int rank = 0; rank < size; ++rank) {
      logs.push_back(std::make_unique<FakeLog>());
      logs.back()->rank = rank;
      // 0: all ranks.
      logs.back()->communicators.push_back({1000, static_cast<std::uint32_t>(size),
                                            static_cast<std::uint32_t>(rank),
                                            static_cast<std::uint32_t>(size), nullptr});
    }
  }
  FakeLog& operator[](int rank) { return *logs[static_cast<std::size_t>(rank)]; }
  int size() const { return static_cast<int>(logs.size()); }

  static std::uint64_t key(std::uint64_t id, int source, int destination, int tag) {
    std::uint64_t x = id;
    for (const int part : {source, destination, tag})
      x = (x ^ static_cast<std::uint64_t>(part + 7)) * 0x9e3779b97f4a7c15u, x ^= x >> 29;
    return x;
  }
  void send(int from, int to, int tag, const At& at, std::uint64_t bytes = 8) {
    const std::uint32_t c = source_channel(from, to, tag);
    (*this)[from].record(EventKind::send, 0, c, (*this)[from].channels[c].next++, at, bytes);
  }
  void receive(int to, int from, int tag, const At& at, std::size_t thread = 0) {
    const std::uint32_t c = destination_channel(to, from, tag);
    (*this)[to].record(EventKind::receive, 0, c, (*this)[to].channels[c].next++, at, 8, thread);
  }
  /// `library`: time in MPI between the two calls.
  void isend(int from, int to, int tag, const At& at, const At& wait, std::uint64_t bytes = 8,
             std::uint64_t library = 0) {
    const std::uint32_t c = source_channel(from, to, tag), n = (*this)[from].channels[c].next++;
    (*this)[from].record(EventKind::send, event_pending, c, n, at, bytes);
    (*this)[from].record(EventKind::send_completion, alone(wait), c, n, wait, library);
  }
  void irecv(int to, int from, int tag, const At& at, const At& wait, std::size_t wait_thread = 0,
             std::uint64_t library = 0) {
    const std::uint32_t c = destination_channel(to, from, tag), n = (*this)[to].channels[c].next++;
    (*this)[to].record(EventKind::receive, event_pending, c, n, at);
    (*this)[to].record(EventKind::receive_completion, alone(wait), c, n, wait, library, wait_thread);
  }
  /// The flags of a completion: MPI_Wait completes nothing else.
  static unsigned alone(const At& wait) { return wait.path.ends_with("MPI_Wait") ? event_alone : 0; }
  /// A communicator of these ranks, on all of them; returns its index there, the same everywhere.
  std::uint32_t communicator(std::uint64_t id, const std::vector<std::int32_t>& members) {
    worlds_.push_back(std::make_unique<std::vector<std::int32_t>>(members));
    std::uint32_t index = 0;
    for (std::size_t i = 0; i < members.size(); ++i) {
      auto& list = (*this)[members[i]].communicators;
      const auto count = static_cast<std::uint32_t>(members.size());
      list.push_back({id, count, static_cast<std::uint32_t>(i), count, worlds_.back()->data()});
      index = static_cast<std::uint32_t>(list.size() - 1);
    }
    return index;
  }
  void collective(int rank, EventKind kind, const At& at, unsigned flags = 0,
                  std::uint32_t communicator = 0) {
    FakeLog& log = (*this)[rank];
    const std::uint32_t c = member_channel(rank, communicator);
    log.record(kind, flags, c, log.channels[c].next++, at);
  }
  /// The rank names another root than before, a number in the communicator, in the collective entered at `enter`.
  void root(int rank, std::int32_t root, std::uint64_t enter, std::uint32_t communicator = 0) {
    FakeLog& log = (*this)[rank];
    const std::uint32_t c = member_channel(rank, communicator);
    log.record(EventKind::request, event_root, c, 0, {enter, enter, "main"}, static_cast<std::uint64_t>(root));
  }
  void icollective(int rank, EventKind kind, const At& at, const At& wait, unsigned flags = 0) {
    FakeLog& log = (*this)[rank];
    const std::uint32_t c = member_channel(rank, 0), n = log.channels[c].next++;
    log.record(kind, flags | event_pending, c, n, at);
    log.record(EventKind::collective_completion, 0, c, n, wait);
  }
  /// One access of `origin` to the window of `target`, a communicator of both.
  void epoch(int origin, int target, std::uint32_t window, const At& start, const At& complete, const At& post,
             const At& wait) {
    const std::uint64_t of_window = key((*this)[origin].communicators[window].id, origin, target, 9);
    FakeLog &accessing = (*this)[origin], &exposing = (*this)[target];
    const std::uint32_t c = accessing.channel(of_window, window, target, 0, ChannelEnd::origin);
    const std::uint32_t t = exposing.channel(of_window, window, origin, 0, ChannelEnd::target);
    accessing.record(EventKind::start, 0, c, 0, start);
    accessing.record(EventKind::complete, 0, c, 0, complete);
    exposing.record(EventKind::post, 0, t, 0, post);
    exposing.record(EventKind::wait, 0, t, 0, wait);
  }
  std::uint32_t source_channel(int from, int to, int tag) {
    return (*this)[from].channel(key(1000, from, to, tag), 0, to, tag, ChannelEnd::source);
  }
  std::uint32_t destination_channel(int to, int from, int tag) {
    return (*this)[to].channel(key(1000, from, to, tag), 0, from, tag, ChannelEnd::destination);
  }
  std::uint32_t member_channel(int rank, std::uint32_t communicator) {
    FakeLog& log = (*this)[rank];
    return log.channel(log.communicators[communicator].id, communicator, -1, 0, ChannelEnd::member);
  }

  /// What a rank brings to the exchange.
  RankLog rank_log(int rank) {
    FakeLog& own = (*this)[rank];
    RankLog log;
    log.sites = own.sites;
    log.time = own.time;
    log.eager_bytes = eager_bytes;
    if (own.end_ns != INT64_MIN) log.begin_ns = 0, log.end_ns = own.end_ns;
    own.logs.assign(own.records.size(), EventLog());
    for (std::size_t thread = 0; thread < own.records.size(); ++thread) {
      own.logs[thread].records = own.records[thread].data();
      own.logs[thread].count = static_cast<std::uint32_t>(own.records[thread].size());
      LocationLog location;
      location.log = &own.logs[thread];
      for (std::size_t i = 0; i < own.sites.size(); ++i)
        location.sites.push_back(static_cast<std::int32_t>(i));
      log.locations.push_back(location);
    }
    own.tables.channels = own.channels.data();
    own.tables.channel_count = static_cast<std::uint32_t>(own.channels.size());
    own.tables.communicators = own.communicators.data();
    own.tables.communicator_count = static_cast<std::uint32_t>(own.communicators.size());
    log.tables = &own.tables;
    return log;
  }
  std::vector<Waits> find(double seconds = 20, const std::vector<int>& absent = {},
                          const std::vector<rules::Source>& sources = rules::shipped_rules()) {
    compiled = rules::compile(sources);
    REQUIRE(compiled.errors.empty());
    std::vector<Waits> found(logs.size());
    run_ranks(
        size(),
        [&](const andes_transport& transport) {
          AllToAll ranks(&transport, in_seconds(seconds));
          found[static_cast<std::size_t>(transport.rank)] = find_waits(
              rank_log(transport.rank), compiled.program, ranks, [](std::int64_t) { return ""; });
        },
        absent);
    return found;
  }
  const std::string& cause(const Wait& wait) const {
    return compiled.program.causes[wait.cause].identifier;
  }

  std::vector<std::unique_ptr<FakeLog>> logs;
  rules::Compiled compiled;
  std::uint64_t eager_bytes = 0; // RankLog

private:
  std::vector<std::unique_ptr<std::vector<std::int32_t>>> worlds_;
};

inline std::uint64_t hash_of(const std::string& path) { return std::hash<std::string>()(path); }

} // namespace andes::test
