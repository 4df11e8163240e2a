// Interrupts that the timed visits of a call path have not met.
#include <catch2/catch.hpp>

#include "monitor/finish/interrupts.h"

using namespace andes::monitor;

namespace {

constexpr double ticks_per_us = 1000;

/// `timed` visits of a tick each more than a us, one in 100, and `long_ones` of 32 us.
Sample timed_visits(int timed, int long_ones) {
  Sample sample{};
  for (int i = 0; i < timed; ++i) add(sample, i < long_ones ? 32'768 : 1025, 100);
  return sample;
}

} // namespace

TEST_CASE("visits that have met fewer interrupts than others may be longer by as many as those suggest") {
  Interrupts interrupts;
  for (int path = 0; path < 3; ++path) add(interrupts, timed_visits(1000, 2), ticks_per_us);
  const Sample met_none = timed_visits(1000, 0);
  add(interrupts, met_none, ticks_per_us);
  CHECK(interrupts.count == 6);
  // A quarter of the timed time, nearly: at most 1.5 (1 + 1.96 / sqrt 6) = 2.70 of them, each some 40 us in 100 visits.
  const double missed = may_have_missed(interrupts, met_none, 100'000, ticks_per_us);
  CHECK(missed == Approx(2.7 * 40'960 * 100).epsilon(0.1));
  CHECK(may_have_missed(interrupts, met_none, 200'000, ticks_per_us) == Approx(2 * missed));
  CHECK(may_have_missed(interrupts, timed_visits(1000, 5), 100'000, ticks_per_us) == 0); // it has met more
}

TEST_CASE("long visits that others have met as often are interrupts") {
  Interrupts interrupts;
  const Sample two = timed_visits(1000, 2), five = timed_visits(1000, 5);
  add(interrupts, two, ticks_per_us);
  CHECK(!are_met_by_others(interrupts, two, ticks_per_us)); // nobody has but itself
  add(interrupts, two, ticks_per_us);
  CHECK(!are_met_by_others(interrupts, two, ticks_per_us)); // two by one other tell little
  add(interrupts, two, ticks_per_us);
  CHECK(are_met_by_others(interrupts, two, ticks_per_us));
  CHECK(!are_met_by_others(interrupts, timed_visits(1000, 0), ticks_per_us)); // it has none
  Interrupts of_few = interrupts;
  add(of_few, timed_visits(1000, 0), ticks_per_us), add(of_few, timed_visits(1000, 0), ticks_per_us);
  add(of_few, five, ticks_per_us);
  CHECK(!are_met_by_others(of_few, five, ticks_per_us)); // 1.2 are due, 4.6 at most
  Sample one_for_all = timed_visits(1000, 1);
  add(one_for_all, 1'000'000, 100);
  add(interrupts, one_for_all, ticks_per_us);
  CHECK(!are_met_by_others(interrupts, one_for_all, ticks_per_us)); // half of all timed time
}

TEST_CASE("no interrupts are visits that are long often, of long visits, or too short") {
  const auto seen = [](const Sample& sample, double per_us) {
    Interrupts interrupts;
    add(interrupts, sample, per_us);
    return interrupts;
  };
  CHECK(seen(timed_visits(1000, 5), ticks_per_us).count == 5);
  CHECK(seen(timed_visits(1000, 6), ticks_per_us).count == 0); // a kind of the program's own
  CHECK(seen(timed_visits(1000, 5), 10 * ticks_per_us).count == 0); // 3 us
  Sample of_long{};
  for (int i = 0; i < 1000; ++i) add(of_long, i == 0 ? 32'768 : 4096, 100);
  CHECK(seen(of_long, ticks_per_us).count == 0); // eight times the others, no more
  CHECK(may_have_missed({}, of_long, 1e6, ticks_per_us) == 0);
  CHECK(may_have_missed(seen(timed_visits(1000, 5), ticks_per_us), Sample{}, 1e6, ticks_per_us) == 0);
}
