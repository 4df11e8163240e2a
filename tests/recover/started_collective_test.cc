// What logs made by hand tell of collectives that requests stand for: their functions' nodes, kinds and roots.
#include <catch2/catch.hpp>

#include <memory>
#include <vector>

#include "monitor/core/event_log.h"
#include "monitor/recover/started_collective.h"

using namespace andes;
using namespace andes::monitor;

namespace {

constexpr std::uint32_t on_world = 1, on_part = 2; // channels

/// Two threads, of which nothing but the logs is there.
class Logs {
public:
  Logs() : process_(std::make_unique<Process>()) {
    for (std::uint32_t i = 0; i < 2; ++i) {
      locations_.push_back(std::make_unique<Location>());
      process_->locations[i] = locations_.back().get();
    }
    process_->location_count = 2;
    process_->events.channels = channels_;
    process_->events.channel_count = 3;
  }
  void operation(std::size_t thread, std::uint32_t channel, std::uint32_t number, EventKind kind,
                 std::uint32_t node = 0) {
    EventRecord& record = add(thread, channel, number, kind);
    record.node = node;
    channels_[channel].next = number + 1;
  }
  void root(std::size_t thread, std::uint32_t channel, std::uint32_t number, int rank) {
    EventRecord& record = add(thread, channel, number, EventKind::request);
    record.flags = event_root;
    record.set_amount(short_of(static_cast<std::uint64_t>(rank)));
  }
  void thin() { process_->events.levels = {1, 0}; }
  /// Root of an operation; -2: nothing is known of it.
  int root_of(std::uint32_t channel, std::uint32_t number) {
    const auto found = find({channel_number(channel, number)});
    return found.empty() ? -2 : found.begin()->second.root;
  }
  std::map<ChannelNumber, StartedCollective> find(const std::set<ChannelNumber>& wanted) {
    for (std::size_t i = 0; i < 2; ++i) {
      EventLog& log = locations_[i]->log;
      log.records = records_[i].data();
      log.count = log.limit = static_cast<std::uint32_t>(records_[i].size());
    }
    return find_started(*process_, wanted);
  }

private:
  EventRecord& add(std::size_t thread, std::uint32_t channel, std::uint32_t number, EventKind kind) {
    EventRecord& record = records_[thread].emplace_back();
    record = {};
    record.channel = channel;
    record.number = number & 0xffffff;
    record.kind = static_cast<std::uint64_t>(kind);
    return record;
  }

  std::unique_ptr<Process> process_;
  std::vector<std::unique_ptr<Location>> locations_;
  std::vector<EventRecord> records_[2];
  Channel channels_[3] = {};
};

} // namespace

TEST_CASE("a started collective has the kind and the node of its call, and of those with a root the root") {
  Logs logs;
  logs.root(0, on_world, 0, 3);
  logs.operation(0, on_world, 0, EventKind::one_to_n, 7);
  logs.operation(0, on_part, 0, EventKind::n_to_n, 8);
  logs.operation(0, on_world, 1, EventKind::n_to_one, 9); // with the same root
  logs.root(0, on_world, 2, 5);
  logs.operation(0, on_world, 2, EventKind::one_to_n, 7);
  const auto found = logs.find({{on_world, 0}, {on_world, 1}, {on_world, 2}, {on_world, 3}, {on_part, 0}});
  REQUIRE(found.size() == 4);
  CHECK(found.at({on_world, 0}).root == 3);
  CHECK(found.at({on_world, 0}).node == 7);
  CHECK(found.at({on_world, 0}).event == EventKind::one_to_n);
  CHECK(found.at({on_world, 1}).root == 3);
  CHECK(found.at({on_world, 1}).node == 9);
  CHECK(found.at({on_world, 1}).event == EventKind::n_to_one);
  CHECK(found.at({on_world, 2}).root == 5);
  CHECK(found.at({on_part, 0}).root == -1);
  CHECK(found.at({on_part, 0}).node == 8);
}

TEST_CASE("roots that are logged later, or of another communicator, are not those of an operation") {
  Logs logs;
  logs.operation(0, on_world, 4, EventKind::one_to_n);
  logs.root(0, on_world, 5, 2);
  logs.operation(0, on_world, 5, EventKind::one_to_n);
  logs.root(0, on_part, 3, 1);
  logs.operation(0, on_part, 3, EventKind::one_to_n);
  CHECK(logs.root_of(on_world, 4) == -1);
  CHECK(logs.root_of(on_world, 5) == 2);
  CHECK(logs.root_of(on_world, 6) == -2);
}

TEST_CASE("of the roots that several threads have logged the latest up to the operation counts") {
  Logs logs;
  logs.root(0, on_world, 0, 1);
  logs.operation(0, on_world, 0, EventKind::one_to_n);
  logs.root(1, on_world, 1, 2);
  logs.operation(1, on_world, 1, EventKind::one_to_n, 6);
  logs.operation(0, on_world, 2, EventKind::one_to_n);
  logs.root(0, on_world, 3, 4);
  logs.operation(0, on_world, 3, EventKind::one_to_n);
  CHECK(logs.root_of(on_world, 0) == 1);
  CHECK(logs.root_of(on_world, 1) == 2);
  CHECK(logs.root_of(on_world, 2) == 2);
  CHECK(logs.root_of(on_world, 3) == 4);
  const auto found = logs.find({{on_world, 0}, {on_world, 1}, {on_world, 2}, {on_world, 3}});
  REQUIRE(found.size() == 4);
  CHECK(found.at({on_world, 0}).root == 1);
  CHECK(found.at({on_world, 2}).root == 2);
  CHECK(found.at({on_world, 1}).location == 1);
  CHECK(found.at({on_world, 1}).node == 6);
}

TEST_CASE("numbers begin again after 2^24 operations") {
  constexpr std::uint32_t all = 1u << 24;
  Logs logs;
  logs.root(0, on_world, all - 2, 1);
  logs.operation(0, on_world, all - 2, EventKind::one_to_n);
  logs.operation(0, on_world, all - 1, EventKind::one_to_n);
  logs.operation(0, on_world, all, EventKind::one_to_n);
  logs.root(0, on_world, all + 1, 2);
  logs.operation(0, on_world, all + 1, EventKind::one_to_n);
  const auto found =
      logs.find({channel_number(on_world, all - 1), channel_number(on_world, all), channel_number(on_world, all + 1)});
  REQUIRE(found.size() == 3);
  CHECK(found.at(channel_number(on_world, all - 1)).root == 1);
  CHECK(found.at(channel_number(on_world, all)).root == 1);
  CHECK(found.at(channel_number(on_world, all + 1)).root == 2);
}

TEST_CASE("a log that is a sample tells nothing of operations by number") {
  Logs logs;
  logs.root(0, on_world, 0, 3);
  logs.operation(0, on_world, 0, EventKind::one_to_n);
  CHECK(logs.root_of(on_world, 0) == 3);
  logs.thin();
  CHECK(logs.root_of(on_world, 0) == -2);
}
