// What a thread notices of losing its core. Switches against its will cannot be had at will, those that it makes itself can.
#include <catch2/catch.hpp>

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "monitor/core/core_losses.h"

using namespace andes::monitor;

namespace {

CoreLosses of_this_thread() {
  CoreLosses losses;
  begin_core_losses(losses, static_cast<std::int32_t>(syscall(SYS_gettid)));
  return losses;
}

void sleep_shortly() {
  const timespec time = {0, 1'000'000};
  nanosleep(&time, nullptr);
}

} // namespace

TEST_CASE("a thread notices that it has slept, and is not taken for interrupted") {
  CoreLosses losses = of_this_thread();
  if (!losses.mark) {
    WARN("no mark of switches here: not tested");
    return;
  }
  *losses.mark = 0; // an earlier test may have set it
  REQUIRE(has_switched(losses));
  notice_switch(losses, 100);
  CHECK(losses.left_ticks == 0); // those before are nobody's
  sleep_shortly();
  REQUIRE(has_switched(losses));
  notice_switch(losses, 200);
  CHECK(losses.left_ticks == 200);
  CHECK_FALSE(is_interrupted(losses, 150));
}

TEST_CASE("a mark lasts until the thread is switched") {
  CoreLosses losses = of_this_thread();
  if (!losses.mark) {
    WARN("no mark of switches here: not tested");
    return;
  }
  bool lasted = false;
  for (int i = 0; i < 1000 && !lasted; ++i) { // a switch may come at any time, but not each time
    set_mark(*losses.mark);
    lasted = !has_switched(losses);
  }
  CHECK(lasted);
}

TEST_CASE("a visit is interrupted by a switch against the thread's will alone") {
  CoreLosses losses;
  CHECK_FALSE(has_switched(losses)); // not known
  losses.lost_ticks = 500;
  CHECK(is_interrupted(losses, 400));
  CHECK_FALSE(is_interrupted(losses, 500));
  losses.left_ticks = 450; // it has slept, too: how long is not known
  CHECK_FALSE(is_interrupted(losses, 400));
  CHECK(is_interrupted(losses, 450));
}

TEST_CASE("a wait for a core within work of the monitor is what that lasts longer than other work") {
  CoreLosses losses;
  losses.lost_ticks = 150;
  note_work(losses, 100, 2000); // nothing shows what it takes without
  CHECK(losses.monitor_ticks == 0);
  note_work(losses, 200, 300);
  note_work(losses, 300, 320); // 100 and 20: 90 in the running mean
  losses.lost_ticks = 500;
  note_work(losses, 400, 2000);
  CHECK(losses.monitor_ticks == 1600 - 90);
  note_work(losses, 400, 450);
  CHECK(losses.monitor_ticks == 1600 - 90);
  losses.left_ticks = 600; // it has waited for something of the monitor, too
  note_work(losses, 400, 2000);
  CHECK(losses.monitor_ticks == 1600 - 90);
}

TEST_CASE("a switch within work of the monitor is noticed") {
  CoreLosses losses = of_this_thread();
  if (!losses.mark) {
    WARN("no mark of switches here: not tested");
    return;
  }
  notice_switch(losses, 100);
  sleep_shortly();
  note_work(losses, 150, 2000);
  CHECK(losses.left_ticks == 2000);
  CHECK(losses.monitor_ticks == 0);
}

TEST_CASE("the smaller the budget, the fewer readings") {
  // 65 us are an eighth of 3 % of 17 ms, and of 0.3 % of 173 ms. 1,000 ticks are a millisecond.
  CoreLosses losses = of_this_thread();
  const auto reads_at = [&](std::uint64_t now_ticks, double budget) {
    losses.lost_ticks = now_ticks - 1;
    read_core_waits_now_and_then(losses, static_cast<std::int32_t>(syscall(SYS_gettid)), now_ticks, 1000, budget);
    return losses.read_ticks == now_ticks;
  };
  CHECK_FALSE(reads_at(49'000, 0.03));
  CHECK(reads_at(50'000, 0.03));
  CHECK_FALSE(reads_at(223'000, 0.003));
  CHECK(reads_at(224'000, 0.003));
}

TEST_CASE("readings begin anew with the measured interval") {
  CoreLosses losses = of_this_thread();
  losses.waits_before = {};
  add_reading(losses, {.ran_ns = 1e15, .ns = 50, .count = 1e9});
  CHECK(losses.waits.ns == 50);
  CHECK(losses.readings.dd == 2500);
  add_reading(losses, {.ran_ns = 5, .ns = 5, .count = 5}); // the thread is gone
  CHECK(losses.waits.ns == 50);
  add_reading(losses, {.ran_ns = 1e15 + 7, .ns = 50, .count = 1e9});
  CHECK(losses.waits.ran_ns == 1e15 + 7);
  CHECK(losses.readings.count == 1);
  restart_core_losses(losses, 0);
  CHECK(losses.waits.ran_ns == 0);
  CHECK(losses.readings.count == 0);
}
