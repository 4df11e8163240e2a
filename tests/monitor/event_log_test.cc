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
  CHECK(tables.level == 0); // operations are not thinned for them
  CHECK(tables.memory.left_bytes == 375'000);
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
