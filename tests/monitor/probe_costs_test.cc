// The mean of calibrations over a run, with answers computed by hand.
#include "monitor/core/probe_costs.h"

#include <catch2/catch.hpp>

namespace andes::monitor {
namespace {

ProbeCosts costs_of(double pair, double closed = 1) {
  ProbeCosts costs;
  costs.pair = pair;
  costs.inner = pair / 2;
  costs.closed = closed;
  return costs;
}

TEST_CASE("costs over a run are means over time, each stretch with the mean of its ends") {
  CostHistory history;
  const ProbeCosts start = costs_of(20, 0.5), middle = costs_of(40, 0.25), end = costs_of(60, 2);
  add_calibration(history, ProbeCosts(), start, 1000);
  CHECK(mean_costs(history, start).pair == 20); // a single calibration
  add_calibration(history, start, middle, 1100); // 100 ticks at 30
  add_calibration(history, middle, end, 1400);   // 300 ticks at 50
  const ProbeCosts mean = mean_costs(history, end);
  CHECK(history.count == 3);
  CHECK(mean.pair == Approx(45));
  CHECK(mean.inner == Approx(22.5));
  CHECK(mean.closed == 0.25);        // the least
  CHECK(mean.error == Approx(10));   // half of 20, twice
}

TEST_CASE("the spread within calibrations is the error where they agree with each other") {
  CostHistory history;
  ProbeCosts start = costs_of(20), end = costs_of(21);
  start.error = 2;
  end.error = 4;
  add_calibration(history, ProbeCosts(), start, 10);
  add_calibration(history, start, end, 20);
  CHECK(mean_costs(history, end).error == Approx(3));
}

TEST_CASE("what a pair costs depends on the work around it, and is least certain where that is short") {
  ProbeCosts costs = costs_of(20);
  costs.dependent = 2, costs.dependent_inner = 1;
  costs.busy = 10, costs.busy_inner = 3;
  const PairCost alone = cost_of_pair(costs, 0), among_work = cost_of_pair(costs, 40),
                 between = cost_of_pair(costs, 30);
  CHECK(alone.all == 20);
  CHECK(alone.inner == 10);
  CHECK(alone.error() == 18); // it may be as cheap as among work
  CHECK(cost_of_pair(costs, 20).all == 20); // elapsed time no longer than a pair takes tells nothing
  CHECK(among_work.low == 2);
  CHECK(among_work.high == 25); // a quarter more than alone
  CHECK(among_work.all == 11); // half way from 2 to 20
  CHECK(among_work.inner == Approx(11 * 14.0 / 32));
  CHECK(among_work.error() == 14);
  CHECK(between.all == 15.5); // half way from that to a pair alone
  CHECK(between.inner == Approx((10 + 11 * 14.0 / 32) / 2));
  CHECK(between.low == 2);
  CHECK(between.high == 22.5);
  CHECK(cost_of_pair(costs, 1e6).all == 11);
}

TEST_CASE("how much of a timed visit is its probe's follows from the time that calibrated work is seen to take") {
  ProbeCosts costs;
  costs.sample_inner = 36;
  costs.short_work = 24, costs.sample_short_inner = 20; // seen to take 44
  costs.sample_dependent_inner = 4, costs.sample_busy_inner = 42;
  const auto is = [&](double seen, double least, double most) {
    const InnerCost inner = inner_of_timed(costs, seen);
    CHECK(inner.low == Approx(least));
    CHECK(inner.high == Approx(most));
    CHECK(inner.ticks == Approx((least + most) / 2));
    CHECK(inner.error() == Approx((most - least) / 2).margin(1e-9));
  };
  is(36, 36, 36);
  is(20, 20, 20); // no work at all, and a fast probe
  is(44, 20, 36 + 6 * 8.0 / 36); // 24 of work in the probe's shadow, or hardly any
  is(40, 40 - 12, 36 + 6 * 4.0 / 36);
  is(66, 12, 36 + 6 * 30.0 / 36); // half way to where nothing is in the shadow
  is(88, 4, 42);
  is(1e6, 4, 42);
}

TEST_CASE("of a timed call of MPI less is its probe's, whose wrapper has no registers to keep") {
  ProbeCosts costs = costs_of(20); // 10 of them within the visit
  costs.sample_inner = costs.sample_short_inner = costs.sample_dependent_inner = costs.sample_busy_inner = 36;
  costs.short_work = 24;
  costs.call_less = 12;
  const auto inner = [&](std::uint32_t kind) { return inner_of_timed(costs_of_kind(costs, kind), 60).ticks; };
  CHECK(inner(ANDES_KIND_FUNCTION) == 36); // 24 of work and 36 of the probe
  CHECK(inner(ANDES_KIND_LOCAL) == 24); // 36 of work
  CHECK(costs_of_kind(costs, ANDES_KIND_LOCAL).inner == 10); // the probe reads the clock itself
  costs.counts_by_call = true;
  CHECK(costs_of_kind(costs, ANDES_KIND_LOCAL).inner == 0); // not less than nothing
  CHECK(costs_of_kind(costs, ANDES_KIND_FUNCTION).inner == 10);
}

TEST_CASE("where the clock waits for the work before it, a pair among work costs more") {
  ProbeCosts costs = costs_of(20);
  costs.dependent = 30, costs.busy = 24;
  CHECK(cost_of_pair(costs, 0).high == 30);
  CHECK(cost_of_pair(costs, 100).all == 25);
  CHECK(cost_of_pair(costs, 100).low == 20);
  CHECK(cost_of_pair(costs, 100).high == 37.5);
}

TEST_CASE("a visit that is only counted costs more among a program's work than in the calibration") {
  ProbeCosts costs = costs_of(20);
  costs.sampled = 2, costs.timed = 30, costs.hook = 7;
  CHECK(counted_cost(costs) == 3);
  CHECK(cost_in_windows(costs, false, 10, 4) == 6 * 3 + 4 * 30);
  CHECK(cost_in_windows(costs, true, 10, 4) == 10 * 7 + 6 * 3 + 4 * 30);
  costs.counts_by_call = true;
  CHECK(counted_cost(costs) == 2.5);
}

TEST_CASE("what was never calibrated costs nothing") { CHECK(mean_costs(CostHistory(), ProbeCosts()).pair == 0); }

} // namespace
} // namespace andes::monitor
