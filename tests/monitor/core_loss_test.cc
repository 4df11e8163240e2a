// Waits for a core on top of estimated times, by hand. Of a thread that has waited half as long as it had a core, in waits of
// 100 ticks, 16 such waits come in 3,200 ticks: so much counts what is known of all waits.
#include <catch2/catch.hpp>

#include <cmath>

#include "monitor/finish/core_loss.h"

using namespace andes::monitor;

namespace {

constexpr CoreLoss half = {
    .share = 0.5, .measured_share = 0.5, .wait_ticks = 100, .core_ticks = 10'000, .is_noticed = true};

/// Readings of two waits each, which took 2 and 6 ns in turn.
CoreLosses read_often(int readings) {
  CoreLosses losses;
  CoreWaits now = {.ran_ns = 1000, .ns = 1000, .count = 1000};
  losses.waits_before = now;
  for (int i = 0; i < readings; ++i) {
    now = {.ran_ns = now.ran_ns + 16, .ns = now.ns + (i % 2 == 0 ? 2 : 6), .count = now.count + 2};
    add_reading(losses, now);
  }
  return losses;
}

} // namespace

TEST_CASE("without timed visits a call path gets its share of the thread's waits") {
  const AddedWaits waits = waits_in(half, {}, 1000, 4000);
  CHECK(waits.ticks == Approx(0.5 * 4000));
  // The thread's 5,000 ticks are 50 waits, of which each meets the path with a probability of 0.4: 50 x 100^2 x 0.4 x 0.6.
  // The path's share of them differs from that by a fourth of what others have: 0.6 / 4.
  CHECK(waits.variance == Approx(50 * 1e4 * 0.4 * 0.6 + std::pow(2000 * 0.6 / 4, 2)));
  CHECK(waits.is_reliable);
  CHECK(waits_in(half, {}, 1000, 10'000).variance == Approx(0).margin(1e-6)); // all waits are its own
}

TEST_CASE("what timed visits have met of waits counts by how much of them would be expected there") {
  // 800 of 4,000 ticks timed, in which one wait was met where four are due: 1,700 by 4,000 ticks.
  const AddedWaits waits =
      waits_in(half, {.count = 80, .ticks = 800, .waits = 1, .wait_ticks = 100, .wait_squares = 1e4}, 400, 4000);
  CHECK(waits.ticks == Approx(1700));
  // In the 3,200 that were not timed.
  CHECK(waits.variance == Approx(100 * 0.425 * 3200 * 0.6 * (1 + 0.6 * 3200 / 4000)));
  // Much was timed, and no wait was met.
  CHECK(waits_in(half, {.count = 1e6, .ticks = 1e7}, 1e7, 1e8).ticks < 0.001 * 1e8);
}

TEST_CASE("waits that visits do not meet are elsewhere in the thread") {
  const CoreLoss loss =
      adjusted(half, {{.count = 80, .ticks = 800, .waits = 1, .wait_ticks = 100}, {.count = 50, .ticks = 2400}});
  CHECK(loss.share == Approx(1700 / 6400.));
  CHECK(loss.share_variance == Approx(3200 * 0.5 * 100 / (6400. * 6400)));
  CHECK(loss.wait_ticks == 100);
  CHECK(waits_in(loss, {}, 1000, 4000).variance ==
        Approx(1700 / 6400. * 100 * 0.6 * 4000 + std::pow(1700 / 6400. * 4000 * 0.6 / 4, 2) +
               4000 * 4000 * loss.share_variance));
}

TEST_CASE("a call path that meets more waits than the thread's share explains keeps its own") {
  const TimedVisits yields = {.count = 10, .ticks = 10, .waits = 10, .wait_ticks = 1000, .wait_squares = 1e5};
  const AddedWaits waits = waits_in(half, yields, 2000, 1000);
  CHECK(waits.ticks == Approx(100 * 1000));
  CHECK(waits.variance == Approx(100 * 100 * 1e5));
  CHECK(waits.is_reliable);
  CHECK(adjusted(half, {yields}).share == Approx(0.5)); // and tells nothing of the others
  // The limit: 5 + 4 sqrt(5 x 100) + 8 x 100 = 894.
  CHECK(waits_in(half, {.count = 10, .ticks = 10, .waits = 9, .wait_ticks = 894}, 2000, 1000).ticks < 1000);
  const AddedWaits few = waits_in(half, {.count = 10, .ticks = 10, .waits = 9, .wait_ticks = 895}, 1900, 1000);
  CHECK(few.ticks == Approx(100 * 895));
  CHECK_FALSE(few.is_reliable);
}

TEST_CASE("where the kernel does not tell of waits, visits keep those that they have met") {
  const CoreLoss unknown = core_loss({.notices = true}, 1);
  CHECK(unknown.is_noticed);
  CHECK(adjusted(unknown, {{}}).share == 0);
  CHECK(waits_in(unknown, {.count = 90, .ticks = 900}, 1000, 9000).ticks == 0);
  const AddedWaits met = waits_in(
      unknown, {.count = 90, .ticks = 900, .waits = 10, .wait_ticks = 500, .wait_squares = 25'000}, 1000, 9000);
  CHECK(met.ticks == Approx(10 * 500));
  CHECK(met.variance == Approx(100 * 25'000));
}

TEST_CASE("where visits with waits are not kept apart, waits are added as far as none was met") {
  CoreLoss loss = half;
  loss.is_noticed = false;
  // Of 200 ticks one wait is due: none was met with a probability of 1/e.
  const AddedWaits waits = waits_in(loss, {.count = 20, .ticks = 200}, 400, 4000);
  CHECK(waits.ticks == Approx(0.5 * 4000 / std::exp(1)));
  CHECK(waits.variance == Approx(100 * waits.ticks));
  CHECK(adjusted(loss, {{.count = 20, .ticks = 1e9}}).share == 0.5);
  CHECK(waits_in({}, {.count = 20, .ticks = 200}, 400, 4000).ticks == 0);
}

TEST_CASE("the share of waits, and how long they are, by readings") {
  CoreLosses losses = read_often(8);
  CHECK(losses.readings.count == 8);
  CHECK(losses.readings.m == 16);
  CHECK(losses.waits.ns == 32);
  const CoreLoss loss = core_loss(losses, 0.5);
  CHECK(loss.share == Approx(32 / 128.));
  CHECK(loss.core_ticks == Approx(256));
  losses.monitor_ticks = 16; // 8 of 32 ns
  CHECK(core_loss(losses, 0.5).share == Approx(24 / 128.));
  CHECK(core_loss(losses, 0.5).monitor_ticks == 16);
  // 2 ns in the mean; sums of two differ by 2 from 4, so a single one has a variance of 4 x 8 / 16 x 8 / 7.
  CHECK(loss.wait_ticks == Approx((2 + 4 * 8 / 16. * 8 / 7 / 2) / 0.5));
  // Few readings: the longest that the waits may be, (2 x 4 + 2 x 36) / 16, as it is above twice their mean.
  CHECK(core_loss(read_often(4), 1).wait_ticks == Approx(80 / 16.));
  CHECK(core_loss(CoreLosses(), 1).share == 0);
  CHECK_FALSE(core_loss(CoreLosses(), 1).is_noticed);
}
