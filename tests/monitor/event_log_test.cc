// How operations get their names in the log.
#include "monitor/core/event_log.h"

#include <set>

#include "catch2/catch.hpp"

using namespace andes;
using namespace andes::monitor;

TEST_CASE("calls of functions have half of the memory for records, and the first ones stay") {
  EventTables tables;
  const std::uint64_t bytes = 1'000'000; // a quarter of it for channels
  event_tables_start(tables, bytes, 0, function_calls);
  CHECK(tables.memory.left_bytes == 375'000);
  CHECK(tables.call_memory.left_bytes == 375'000);
  EventLog calls;
  EventRecord record = {};
  record.kind = static_cast<std::uint64_t>(EventKind::function_call) & event_kind_mask;
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    record.node = i & 0xffffff;
    log_function_call(tables, calls, record);
  }
  const std::uint32_t most = 375'000 / (2048 * sizeof(EventRecord)) * 2048; // records come in pieces
  CHECK(calls.count == most);
  CHECK(tables.lost_calls == 20'000 - most);
  CHECK(calls.records[most - 1].node == most - 1);
  CHECK_FALSE(tables.levels.any()); // operations are not thinned for them
  CHECK(tables.memory.left_bytes == 375'000);
}

namespace {

/// A log in which messages and collectives are put as wrappers do.
class SmallLog {
public:
  SmallLog() {
    event_tables_start(tables, 1'000'000, 0); // room for some 30,000 records
    message_ = find_channel(tables, {0, 1, 0, ChannelEnd::source}, 11);
    collective_ = find_channel(tables, {0, -1, 0, ChannelEnd::member}, 12);
  }
  void put_message() { put(message_); }
  void put_collective() { put(collective_); }
  std::uint32_t messages() const { return count(message_); }
  std::uint32_t collectives() const { return count(collective_); }

  EventTables tables;

private:
  void put(std::uint32_t channel) {
    const std::uint32_t number = tables.channels[channel].next++ & 0xffffff;
    const auto stays = [&] { return event_stays(tables.channels[channel], number, log_.levels); };
    if (!stays() || (log_.count == log_.limit && !(make_room(tables, log_) && stays()))) return;
    EventRecord& record = log_.records[log_.count++] = {};
    record.channel = channel & 0xffffff;
    record.number = number;
  }
  std::uint32_t count(std::uint32_t channel) const {
    std::uint32_t found = 0;
    for (std::uint32_t i = 0; i < log_.count; ++i) found += log_.records[i].channel == channel;
    return found;
  }

  EventLog log_;
  std::uint32_t message_, collective_;
};

} // namespace

TEST_CASE("what fills a log is thinned in it: few collectives stay beside many messages, and the other way round") {
  SmallLog log;
  SECTION("messages") {
    for (int i = 0; i < 200'000; ++i) {
      log.put_message();
      if (i % 1000 == 0) log.put_collective();
    }
    CHECK(log.tables.levels.collectives == 0);
    CHECK(log.collectives() == 200);
    CHECK(log.tables.levels.messages >= 2);
    CHECK(log.messages() > 5000);
  }
  SECTION("collectives") {
    for (int i = 0; i < 200'000; ++i) {
      log.put_collective();
      if (i % 1000 == 0) log.put_message();
    }
    CHECK(log.tables.levels.messages == 0);
    CHECK(log.messages() == 200);
    CHECK(log.tables.levels.collectives >= 2);
  }
  SECTION("both") {
    for (int i = 0; i < 200'000; ++i) log.put_message(), log.put_collective();
    CHECK(log.tables.levels.messages >= 2);
    CHECK(log.tables.levels.collectives >= 2);
  }
}

TEST_CASE("channels of operations that are left out are known from the start") {
  const ChannelName names[] = {{0, 1, 0, ChannelEnd::source},
                               {0, 1, 0, ChannelEnd::destination},
                               {0, -1, 0, ChannelEnd::member},
                               {0, 1, tag_exposure, ChannelEnd::origin},
                               {0, 1, tag_exposure, ChannelEnd::target},
                               {0, 1, tag_lock, ChannelEnd::origin},
                               {0, -1, tag_lock_all, ChannelEnd::origin},
                               {0, -1, tag_call, ChannelEnd::origin}};
  const std::uint8_t left_out[] = {without_messages,      without_messages, without_collectives, without_access_epochs,
                                   without_access_epochs, without_locks,    without_locks,       0};
  for (unsigned bits = 0; bits < 16; ++bits) {
    EventTables tables;
    event_tables_start(tables, 1'000'000, 0, 0, static_cast<std::uint8_t>(bits));
    for (std::size_t i = 0; i < std::size(names); ++i) {
      const std::uint32_t channel = find_channel(tables, names[i], 100 + i);
      CHECK(tables.channels[channel].unordered == ((bits & left_out[i]) != 0 ? left_out_of_log : 0));
    }
  }
}

TEST_CASE("what is mixed with its equal, or with a small number, keeps a name of its own") {
  constexpr std::uint64_t world = 1, self = 2; // identifiers of the two that are always there
  std::set<std::uint64_t> names = {world, self};
  for (std::uint64_t number = 1; number <= 100; ++number) // windows made on MPI_COMM_WORLD
    names.insert(event_hash(world, number) | 1);
  for (std::uint64_t path = 3; path <= 100; ++path) // both sides of a wait at one call path
    names.insert(event_hash(path, path));
  CHECK(names.size() == 2 + 100 + 98);
}
