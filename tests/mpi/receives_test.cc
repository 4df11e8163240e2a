// The numbering of receives by itself: calls at times the test gives, on tables of its own. Rank 0 of 8.
#include <algorithm>
#include <catch2/catch.hpp>
#include <deque>
#include <map>
#include <random>
#include <utility>

#include "fake_monitor.h"

using namespace andes;
using namespace andes::monitor;
using namespace andes::monitor::mpi;
using fake::Numbered;
using fake::Thread;

namespace {

// Completes a receive at [at, at + 1) with what it has met.
void complete(Thread& thread, std::uint64_t at, const Ticket& ticket, int source, int tag) {
  const MPI_Status status = fake::status(source, tag);
  complete_receive(thread.call(at, at + 1), ticket, &status);
}
Ticket post(Thread& thread, std::uint64_t at, int source, int tag) {
  return post_receive(thread.call(at, at + 1), &world_comm, source, tag);
}
// A blocking receive that is not measured: it takes its number all the same.
void received(const MPI_Status* status) { log_received({}, &world_comm, status, 0); }

} // namespace

TEST_CASE("receives are numbered in the order of their posting, in whatever order they complete") {
  fake::begin();
  Thread thread(0);
  const Ticket first = post(thread, 10, 3, 7), second = post(thread, 20, 3, 7);
  const Ticket other = post(thread, 30, 4, 7);
  complete(thread, 40, other, 4, 7);
  complete(thread, 50, second, 3, 7);
  complete(thread, 60, first, 3, 7);
  CHECK(fake::records(thread, EventKind::receive) ==
        std::vector<Numbered>{{10, 0, 3, 7}, {20, 1, 3, 7}, {30, 0, 4, 7}});
  CHECK(fake::records(thread, EventKind::receive_completion) ==
        std::vector<Numbered>{{40, 0, 4, 7}, {50, 1, 3, 7}, {60, 0, 3, 7}});
}

TEST_CASE("a receive waits for one from any source before it, and only for what that may meet") {
  fake::begin();
  Thread thread(0);
  const Ticket any = post(thread, 10, MPI_ANY_SOURCE, 7);
  const Ticket behind = post(thread, 20, 3, 7);
  const Ticket apart = post(thread, 30, 3, 8);
  CHECK(fake::records(thread, EventKind::receive) == std::vector<Numbered>{{30, 0, 3, 8}});
  complete(thread, 40, behind, 3, 7);
  CHECK(fake::records(thread, EventKind::receive).size() == 1);
  complete(thread, 50, any, 3, 7);
  CHECK(fake::records(thread, EventKind::receive) ==
        std::vector<Numbered>{{30, 0, 3, 8}, {10, 0, 3, 7}, {20, 1, 3, 7}});
  CHECK(fake::records(thread, EventKind::receive_completion) == std::vector<Numbered>{{50, 0, 3, 7}, {40, 1, 3, 7}});
  complete(thread, 60, apart, 3, 8);
  CHECK(fake::tables.unordered == 0);
}

TEST_CASE("a probe's record has the number of the receive that takes its message") {
  fake::begin();
  Thread thread(0);
  const MPI_Status found = fake::status(3, 7), other = fake::status(4, 7);
  received(&found);
  probed(thread.call(30, 40), &world_comm, &found);
  received(&found); // takes it
  received(&found);
  probed(thread.call(90, 100), &world_comm, &found);
  received(&other); // nobody says what this left
  received(&found);
  probed(thread.call(150, 160), &world_comm, &found);
  complete(thread, 180, post(thread, 170, 3, 7), 3, 7);
  probed(thread.call(190, 200), &world_comm, &found);
  const Ticket any = post(thread, 210, MPI_ANY_SOURCE, 7); // may take it
  Ticket message = probe_matched(thread.call(220, 230), &world_comm, &found, thread.call(220, 230));
  CHECK(fake::records(thread, EventKind::probe) == std::vector<Numbered>{{30, 1, 3, 7}, {150, 4, 3, 7}});
  complete(thread, 240, any, 3, 7); // now there is an order: the matching probe's message is the next
  receive_matched(thread.call(250, 260), message, 0, false);
  CHECK(fake::records(thread, EventKind::probe) ==
        std::vector<Numbered>{{30, 1, 3, 7}, {150, 4, 3, 7}, {220, 6, 3, 7}});
  CHECK(fake::records(thread, EventKind::receive).back() == Numbered{250, 6, 3, 7});
}

TEST_CASE("where threads may meet, nothing is said of the receive behind a probe") {
  fake::begin();
  threads = true;
  Thread thread(0);
  const MPI_Status found = fake::status(3, 7);
  probed(thread.call(30, 40), &world_comm, &found);
  received(&found);
  CHECK(fake::records(thread, EventKind::probe).empty());
}

TEST_CASE("a completion tells the ticks inside MPI since the call that started it") {
  fake::begin();
  Thread thread(0);
  const Ticket ticket = post(thread, 100, 3, 7);
  thread.call(200, 230);
  thread.call(300, 312);
  complete(thread, 400, ticket, 3, 7);
  REQUIRE(thread.data.log.count == 2);
  CHECK(thread.data.log.records[1].amount() == 42);
}

TEST_CASE("a cancelled receive from any source takes no number; a certain one loses the order") {
  fake::begin();
  Thread thread(0);
  const Ticket any = post(thread, 10, MPI_ANY_SOURCE, 7), behind = post(thread, 20, 3, 7);
  cancelled_receive(any);
  CHECK(fake::records(thread, EventKind::receive) == std::vector<Numbered>{{20, 0, 3, 7}});
  complete(thread, 30, behind, 3, 7);
  CHECK(fake::tables.unordered == 0);
  const Ticket certain = post(thread, 40, 4, 7);
  cancelled_receive(certain);
  post(thread, 50, 4, 7);
  CHECK(fake::tables.unordered == 1);
  CHECK(fake::records(thread, EventKind::receive) == std::vector<Numbered>{{20, 0, 3, 7}});
}

TEST_CASE("when a receive from any source is freed, no receive of the communicator has a number") {
  fake::begin();
  Thread thread(0);
  complete(thread, 5, post(thread, 1, 5, 1), 5, 1);
  const Ticket any = post(thread, 10, MPI_ANY_SOURCE, MPI_ANY_TAG), behind = post(thread, 20, 3, 7);
  forget_receive(any);
  complete(thread, 30, behind, 3, 7);
  post(thread, 40, 3, 7);
  CHECK(fake::records(thread, EventKind::receive).empty());
  CHECK(fake::tables.unordered == 3);
}

TEST_CASE("two threads at once on a channel lose its order, in turns they do not") {
  fake::begin();
  threads = true;
  Thread one(0), two(1);
  const Ticket first = post(one, 10, 3, 7);
  const Ticket second = post(two, 20, 3, 7);
  CHECK(first.place.number == 0);
  CHECK(second.place.number == 1);
  CHECK(fake::records(two, EventKind::receive).size() == 1);
  post_receive(one.call(30, 50), &world_comm, 3, 7);
  post_receive(two.call(40, 45), &world_comm, 4, 7); // another channel
  CHECK(fake::tables.unordered == 0);
  post_receive(two.call(45, 60), &world_comm, 3, 7); // within the one that ended at 50
  CHECK(fake::tables.unordered == 1);
  CHECK(fake::records(one, EventKind::receive).empty()); // none of the channel is believed
  threads = false;
}

TEST_CASE("random receives have the numbers that MPI's rule of matching gives them") {
  std::mt19937 random(11);
  for (int round = 0; round < 300; round++) {
    fake::begin();
    Thread thread(0);
    struct Receive {
      int source, tag;           // as posted
      std::uint64_t at;
      int message = -1;
      Ticket ticket;
    };
    std::vector<Receive> receives;
    std::vector<std::pair<int, int>> messages; // source and tag, in the order of their arrival
    std::vector<std::uint64_t> numbers;        // of each message on its channel
    std::map<std::pair<int, int>, std::uint64_t> sent;
    std::uint64_t now = 0;
    for (int i = 0; i < 40; i++) {
      const int source = 1 + (int)(random() % 3), tag = 1 + (int)(random() % 2);
      receives.push_back({random() % 3 ? source : MPI_ANY_SOURCE, random() % 4 ? tag : MPI_ANY_TAG, now += 10, -1, {}});
      receives.back().ticket = post(thread, now, receives.back().source, receives.back().tag);
      // A message for some receive that is still open; MPI gives it to the oldest that may have it.
      for (const Receive& open : receives) {
        if (open.message >= 0 || random() % 2) continue;
        const int from = open.source == MPI_ANY_SOURCE ? source : open.source;
        const int with = open.tag == MPI_ANY_TAG ? tag : open.tag;
        for (Receive& receive : receives)
          if (receive.message < 0 && (receive.source == MPI_ANY_SOURCE || receive.source == from) &&
              (receive.tag == MPI_ANY_TAG || receive.tag == with)) {
            receive.message = (int)messages.size();
            messages.push_back({from, with});
            numbers.push_back(sent[{from, with}]++);
            break;
          }
        break;
      }
      // Some of those that have met theirs complete, in any order.
      for (Receive& receive : receives)
        if (receive.message >= 0 && receive.ticket.place.channel != 0 && random() % 6 == 0) {
          complete(thread, now += 10, receive.ticket, messages[(std::size_t)receive.message].first,
                   messages[(std::size_t)receive.message].second);
          receive.ticket = {};
        }
    }
    std::shuffle(receives.begin(), receives.end(), random);
    for (Receive& receive : receives) {
      if (receive.message < 0) { // every one meets a message in the end; these are cancelled
        if (receive.source == MPI_ANY_SOURCE || receive.tag == MPI_ANY_TAG) cancelled_receive(receive.ticket);
        continue;
      }
      if (receive.ticket.place.channel != 0)
        complete(thread, now += 10, receive.ticket, messages[(std::size_t)receive.message].first,
                 messages[(std::size_t)receive.message].second);
    }
    std::map<std::uint64_t, Numbered> logged;
    for (const Numbered& record : fake::records(thread, EventKind::receive)) logged[record.enter_ticks] = record;
    for (const Receive& receive : receives) {
      if (receive.message < 0) continue;
      const auto [source, tag] = messages[(std::size_t)receive.message];
      const Numbered expected = {receive.at, numbers[(std::size_t)receive.message], source, tag};
      if (!(logged[receive.at] == expected)) FAIL("round " << round << ", receive at " << receive.at);
    }
  }
}

TEST_CASE("records that stay when the log is thinned are the same whenever that happens") {
  fake::begin();
  Thread early(0), late(1);
  for (std::uint32_t i = 0; i < 1000; i++) complete(late, 10 * i, post(late, 10 * i + 1, 3, 7), 3, 7);
  fake::tables.channels[1].next = 0;
  early.data.log = {};
  early.here();
  make_room(fake::tables, early.data.log);
  early.data.log.levels = {3, 0};
  for (std::uint32_t i = 0; i < 1000; i++) complete(early, 10 * i, post(early, 10 * i + 1, 3, 7), 3, 7);
  thin_log(fake::tables, late.data.log, {3, 0});
  const auto one = fake::records(early, EventKind::receive), other = fake::records(late, EventKind::receive);
  CHECK(one == other);
  CHECK(one.size() > 60);
  CHECK(one.size() < 200);
  CHECK(fake::records(early, EventKind::receive_completion).size() == one.size());
}

TEST_CASE("a number of bytes or ticks is exact below 2^19 and within 2^-18 above") {
  for (const std::uint64_t number : {0ull, 1ull, 524287ull}) CHECK(long_of(short_of(number)) == number);
  for (std::uint64_t number = 524288; number < 1ull << 50; number = number * 5 / 3) {
    const std::uint64_t back = long_of(short_of(number));
    CHECK(back <= number);
    CHECK(number - back <= number >> 18);
  }
  CHECK(short_of(~0ull) == 0xffffff);
}
