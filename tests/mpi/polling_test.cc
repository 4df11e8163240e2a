// Polling loops by themselves: polls at times the test gives, in ticks.
#include "monitor/mpi/polling.h"

#include <catch2/catch.hpp>

#include "fake_monitor.h"
#include "monitor/mpi/intents.h"

using namespace andes::monitor::mpi;
using fake::Thread;

namespace {

constexpr std::uint64_t gap = 5, poll = 10, period = gap + poll;

struct Fixture {
  Fixture() {
    fake::begin();
    polling = {};
    gap_ticks = gap;
    fake::now_ticks = fake::core_wait_ticks = 0;
    thread.here();
  }

  /// What the clocks show at a time: the thread's own stood still for `idle` ticks until now.
  void set_clocks(std::uint64_t now_ticks) {
    fake::now_ticks = now_ticks;
    fake::core_ticks = now_ticks - idle;
  }
  Visit at(std::uint64_t enter_ticks) {
    set_clocks(enter_ticks + poll);
    return thread.call(enter_ticks, enter_ticks + poll);
  }
  /// Polls in vain, one after the other; returns when the next one would begin.
  std::uint64_t spin(std::uint64_t begin_ticks, int polls) {
    for (int i = 0; i < polls; ++i) polled_in_vain(at(begin_ticks + static_cast<std::uint64_t>(i) * period));
    return begin_ticks + static_cast<std::uint64_t>(polls) * period;
  }
  /// The same without visits: the clock is there to be read when the poll returns.
  std::uint64_t spin_closed(std::uint64_t begin_ticks, int polls) {
    for (int i = 0; i < polls; ++i) {
      set_clocks(begin_ticks + static_cast<std::uint64_t>(i) * period + poll);
      polled_in_vain({});
    }
    return begin_ticks + static_cast<std::uint64_t>(polls) * period;
  }
  Visit find_closed(std::uint64_t exit_ticks) {
    set_clocks(exit_ticks);
    andes_site site = ANDES_SITE("MPI_Test", "", 0, ANDES_KIND_RECEIVE);
    std::uint32_t region = 0;
    return closed_loop(site, region, ANDES_STACK(), ANDES_CALLER());
  }

  Thread thread{0};
  std::uint64_t idle = 0;
};

void check(const Visit& loop, std::uint64_t enter_ticks, std::uint64_t exit_ticks) {
  CHECK(loop.enter_ticks == enter_ticks);
  CHECK(loop.ticks == exit_ticks - enter_ticks);
}

} // namespace

TEST_CASE_METHOD(Fixture, "a poll that finds something at once is no loop") {
  check(loop_with(at(100)), 100, 110);
  CHECK_FALSE(polling.waited);
  check(find_closed(200), 200, 200);
  CHECK_FALSE(polling.waited);
  CHECK(thread.hot->root.is_polled == 0);
}

TEST_CASE_METHOD(Fixture, "a loop begins with its first poll, and all of it counts as time in MPI") {
  const std::uint64_t end = spin(100, 1000);
  check(loop_with(at(end)), 100, end + poll);
  CHECK(polling.waited);
  CHECK(thread.hot->root.is_polled == 1);
  CHECK(thread.data.library_ticks == end + poll - 100);
  check(loop_with(at(end + 100)), end + 100, end + 110); // the next one begins anew
}

TEST_CASE_METHOD(Fixture, "what is computed between polls moves the begin of the loop forward") {
  spin(100, 10); // to 245
  spin(10'000, 10); // 9755 later, to 10145
  check(loop_with(at(10'150)), 10'150 - 2 * 10 * period + gap, 10'160);
  CHECK(thread.data.library_ticks == 2 * 10 * period + poll - gap);
}

TEST_CASE_METHOD(Fixture, "another call of MPI ends a loop") {
  const std::uint64_t end = spin(100, 10);
  thread.call(end, end + 2);
  const std::uint64_t next = spin(end + 4, 10);
  check(loop_with(at(next)), end + 4, next + poll);
}

TEST_CASE_METHOD(Fixture, "polls without a visit are a loop from the return of the first one") {
  const std::uint64_t end = spin_closed(100, 1000);
  check(find_closed(end + poll), 100 + poll, end + poll);
  CHECK(polling.waited);
  CHECK(thread.data.library_ticks == end - 100);
}

TEST_CASE_METHOD(Fixture, "a loop is closed, looked at in a window, and closed again") {
  std::uint64_t next = spin(100, 100);
  next = spin_closed(next, 1000);
  next = spin(next, 50);
  next = spin_closed(next, 77);
  check(find_closed(next + poll), 100, next + poll);
}

TEST_CASE_METHOD(Fixture, "what is computed between polls without a visit is found by their number") {
  spin(100, 200);
  polling.begin_ticks = 0;
  // 320 polls, 100 ticks computed between each two.
  std::uint64_t next = 10'000;
  for (int i = 0; i < 320; ++i) {
    set_clocks(next + poll);
    polled_in_vain({});
    next += poll + 100;
  }
  const Visit loop = find_closed(next + poll);
  CHECK(static_cast<double>(loop.ticks) == Approx(320 * poll).epsilon(0.1));
}

TEST_CASE_METHOD(Fixture, "time without a core is waiting in a loop that computes nothing, as the kernel counts it") {
  constexpr std::uint64_t lost = 1'000'000;
  std::uint64_t next = spin(100, 3000); // long enough for the kernel to be asked
  SECTION("other threads had the core") {
    fake::core_wait_ticks += lost;
    idle += lost;
    check(loop_with(at(next + lost)), 100, next + lost + poll);
  }
  SECTION("the thread computed") { check(loop_with(at(next + lost)), 100 + lost + gap, next + lost + poll); }
  SECTION("the thread slept for long, which stands for work") {
    idle += lost;
    check(loop_with(at(next + lost)), 100 + lost + gap, next + lost + poll);
  }
  SECTION("in a loop that computes") {
    fake::core_wait_ticks += lost;
    idle += lost;
    check(loop_with(at(next + 2 * lost)), 100 + 2 * lost + gap, next + 2 * lost + poll);
  }
}

TEST_CASE_METHOD(Fixture, "a loop that sleeps a little between its polls waits but for what it computes there") {
  constexpr std::uint64_t slept = 5'000, waking = 50;
  const std::uint64_t computed = GENERATE(0, 20'000);
  const bool closed = GENERATE(false, true);
  const std::uint64_t pause = slept + waking + computed;
  std::uint64_t now = 100;
  const auto poll_once = [&] { now = (closed ? spin_closed(now, 1) : spin(now, 1)) - gap; }; // to its end
  for (int i = 0; i < 101; ++i) {
    poll_once();
    idle += slept;
    now += pause;
  }
  const Visit loop = closed ? find_closed(now + poll) : loop_with(at(now));
  // The kernel was not asked about what came before the second look.
  const std::uint64_t unasked = closed ? 32 : 1, asked = 101 - unasked;
  const std::uint64_t begin = 100 + unasked * pause + (computed == 0 ? 0 : asked * (waking + computed));
  CHECK(static_cast<double>(loop.enter_ticks) == Approx(begin).margin(101 * poll));
  // The next one knows from the beginning that this thread sleeps between polls.
  now += 1'000'000;
  const std::uint64_t first = now;
  poll_once();
  idle += slept;
  now += slept;
  check(closed ? find_closed(now + poll) : loop_with(at(now)), first + (closed ? poll : 0), now + poll);
}

TEST_CASE_METHOD(Fixture, "a loop that yields its core between polls waits, though that takes longer than a poll") {
  constexpr std::uint64_t yielding = 30;
  const std::uint64_t computed = GENERATE(0, 100);
  const bool closed = GENERATE(false, true);
  loop_with(at(spin(100, 200))); // what a poll takes is known now
  std::uint64_t now = 10'000;
  for (int i = 0; i < 320; ++i) {
    now = (closed ? spin_closed(now, 1) : spin(now, 1)) - gap + yielding + computed;
    ++thread.data.yields;
  }
  const Visit loop = closed ? find_closed(now + poll) : loop_with(at(now));
  const std::uint64_t begin = 10'000 + (computed == 0 ? 0 : 320 * (yielding + computed));
  CHECK(static_cast<double>(loop.enter_ticks) == Approx(begin).margin(320 * poll / 10));
}

TEST_CASE_METHOD(Fixture, "what is computed behind a poll that has lost its core is no waiting") {
  constexpr std::uint64_t lost = 100'000, computed = 20'000;
  const bool asked = GENERATE(true, false);
  std::uint64_t now = spin(100, 3000);
  fake::core_wait_ticks += asked ? lost : 0;
  idle += lost;
  set_clocks(now + lost + poll);
  polled_in_vain(thread.call(now, now + lost + poll));
  if (!asked) fake::core_wait_ticks = 0; // the kernel cannot be asked any more
  now += lost + poll + computed;
  check(loop_with(at(now)), 100 + computed, now + poll);
}

TEST_CASE_METHOD(Fixture, "one batch of closed polls that takes longer is chance, each second one is computation") {
  loop_with(at(spin(100, 200))); // what a poll takes is known now
  constexpr std::uint64_t longer = 200; // 680 in all, and less than 700, of which the kernel would be asked
  const int batches = 100;
  const bool once = GENERATE(true, false);
  std::uint64_t now = 10'000;
  for (int i = 0; i < batches; ++i) now = spin_closed(now, 32) + (once ? i == 50 : i % 2 == 1) * longer;
  const Visit loop = find_closed(now + poll);
  const double expected = once ? 0 : batches / 2 * (longer + 32 * gap);
  CHECK(static_cast<double>(loop.enter_ticks) == Approx(10'000 + poll + expected).margin(0.15 * (now - 10'000)));
  if (once) CHECK(loop.enter_ticks == 10'000 + poll);
}

TEST_CASE_METHOD(Fixture, "a loop that lasts for long stands in the arena, and its polls are asked what they want") {
  constexpr int tenth = 150'000; // polls: a little more than a tenth of a second has
  const andes::monitor::PollReport& told = thread.data.polls;
  std::uint64_t now = spin(100, tenth / 2);
  CHECK(told.first_ticks == 0);
  int asked = 0;
  for (int i = 0; i < tenth; ++i, now += period) asked += polled_in_vain(at(now));
  CHECK(told.first_ticks == 100);
  CHECK(asked == 64);
  now = spin(now, tenth);
  CHECK(told.seen_ticks > now - tenth * period);
  CHECK(told.span_ticks > 0);
  CHECK(told.busy_ticks < told.span_ticks / 50);
  loop_with(at(now));
  CHECK(told.first_ticks == 0);
  CHECK(told.longest_ticks == now + poll - 100);
  spin(now + 100, tenth / 2); // the next one is not long yet
  CHECK(told.first_ticks == 0);
}

TEST_CASE_METHOD(Fixture, "closed polls of a long loop are asked, too") {
  int asked = 0;
  std::uint64_t now = spin_closed(100, 1);
  for (int i = 0; i < 400'000; ++i, now += period) {
    set_clocks(now + poll);
    asked += polled_in_vain({});
  }
  CHECK(asked >= 64);
  CHECK(thread.data.polls.first_ticks == 110);
  find_closed(now);
  CHECK(thread.data.polls.first_ticks == 0);
}

TEST_CASE_METHOD(Fixture, "a loop that computes between its polls is busy; one that sleeps there is not") {
  constexpr std::uint64_t computed = 100'000;
  const andes::monitor::PollReport& told = thread.data.polls;
  std::uint64_t now = 100;
  for (int i = 0; i < 200; ++i, now += computed) {
    polled_in_vain(at(now));
  }
  CHECK(told.span_ticks > 0);
  CHECK(told.busy_ticks > told.span_ticks / 2);
  loop_with(at(now));
  for (int i = 0; i < 200; ++i, now += computed) {
    polled_in_vain(at(now));
    idle += computed - 2 * poll;
  }
  CHECK(told.span_ticks > 0);
  CHECK(told.busy_ticks < told.span_ticks / 100);
}

TEST_CASE_METHOD(Fixture, "a list of polls has more only if something is not in it") {
  using andes::monitor::most_waited;
  spin(100, 400'000);
  const andes::monitor::Intent& intent = thread.data.intent;
  const auto poll_for = [&](std::uint32_t count) {
    Polled polled(&thread.hot->root);
    REQUIRE(polled);
    Entry entry;
    entry.kept = Kept::receive;
    for (std::uint32_t i = 0; i < count; ++i) {
      entry.ticket.place = {1, i};
      polled.add(entry);
    }
  };
  for (int again = 0; again < 3; ++again) poll_for(most_waited);
  CHECK(intent.listed == most_waited);
  CHECK(intent.more == 0);
  CHECK(intent.list[most_waited - 1].number == most_waited - 1);
  poll_for(most_waited + 1);
  CHECK(intent.listed == most_waited);
  CHECK(intent.more == 1);
}

TEST_CASE_METHOD(Fixture, "a visit whose time is told to a sample has its length, whatever the clock") {
  andes_frame& top = *thread.hot->top;
  top = {100, ANDES_ROOT, ANDES_FRAME_SAMPLE, 0, 0, 0};
  fake::now_ticks = 130;
  const auto slow_clock = reinterpret_cast<andes_frame*>(reinterpret_cast<std::uintptr_t>(&top) | 1);
  check(leave_slow(slow_clock), 100, 130);
  CHECK(thread.data.library_ticks == 30);
}
