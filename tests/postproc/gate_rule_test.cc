// The rule of the gate: verdicts by hand, and its error rates and power by simulation with a fixed seed.
#include "postproc/analysis/gate_rule.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <random>

using namespace andes::postproc;

namespace {

/// Alternating small distances from a change of `percent`.
std::vector<double> pairs_around(double percent, double spread, std::size_t count) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(std::log1p(percent / 100) + spread * (static_cast<double>(i % 4) - 1.5));
  return values;
}

struct Rates {
  int regressions = 0, passes = 0, undecided = 0;
  double pairs = 0;
};

/// Trials in which pairs come one by one until the rule wants no more.
Rates rates_of(int trials, double percent, const std::function<double(std::mt19937_64&)>& noise, unsigned seed) {
  std::mt19937_64 random(seed);
  Rates rates;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> values;
    Judgement judgement = judge(values, GateRule{}, false);
    while (judgement.next_look > 0) {
      while (values.size() < judgement.next_look) values.push_back(std::log1p(percent / 100) + noise(random));
      judgement = judge(values, GateRule{}, false);
    }
    (judgement.verdict == GateVerdict::regression      ? rates.regressions
     : judgement.verdict == GateVerdict::no_regression ? rates.passes
                                                       : rates.undecided)++;
    rates.pairs += static_cast<double>(judgement.pairs) / trials;
  }
  return rates;
}

/// 0 to 1, without an end.
double uniform(std::mt19937_64& random) { return (static_cast<double>(random() >> 11) + 0.5) * 0x1p-53; }

/// By Box and Muller: the standard does not fix the output of its distributions.
double normal(std::mt19937_64& random) {
  return std::sqrt(-2 * std::log(uniform(random))) * std::cos(6.283185307179586 * uniform(random));
}

/// One pair in ten is a hundred times as far off.
double with_outliers(std::mt19937_64& random) { return normal(random) * (uniform(random) < 0.1 ? 100 : 1); }

} // namespace

TEST_CASE("the gate wants eight pairs first, and decides what is clear then") {
  const GateRule rule;
  CHECK(judge({}, rule, false).next_look == 8);
  CHECK(judge(pairs_around(0, 0.001, 7), rule, false).next_look == 8);
  CHECK(judge(pairs_around(0, 0.001, 7), rule, false).verdict == GateVerdict::undecided);
  const Judgement same = judge(pairs_around(0, 0.001, 8), rule, false);
  CHECK(same.verdict == GateVerdict::no_regression);
  CHECK(same.next_look == 0);
  CHECK(same.asked == 12);
  CHECK(same.pairs == 8);
  const Judgement slower = judge(pairs_around(6, 0.001, 8), rule, false);
  CHECK(slower.verdict == GateVerdict::regression);
  CHECK(percent_of_log(slower.log_change.middle) == Approx(6).margin(0.1));
  // At eight of twelve pairs (8/12)^2 x 2.5 % = 1.1 % of the level may be spent, and all eight of one sign have a
  // chance of 1/256, the smallest and second smallest sums together 2/256: the ends are the second Walsh averages.
  CHECK(percent_of_log(*slower.log_change.low) > 3);
  CHECK(judge(pairs_around(-5, 0.001, 8), rule, false).verdict == GateVerdict::no_regression); // faster
}

TEST_CASE("pairs at the tolerance are undecided, and more are wanted up to the number asked for") {
  const GateRule rule;
  const Judgement first = judge(pairs_around(3, 0.02, 8), rule, false);
  CHECK(first.verdict == GateVerdict::undecided);
  CHECK(first.asked > 12);
  CHECK(first.next_look > 8);
  CHECK(first.next_look <= first.asked);
  const Judgement last = judge(pairs_around(3, 0.02, 400), rule, false);
  CHECK(last.verdict == GateVerdict::undecided);
  CHECK(last.next_look == 0);
  CHECK(last.pairs == last.asked);
  // The same pairs at once or one by one: the same end.
  CHECK(judge(pairs_around(3, 0.02, 400), rule, true).pairs == last.pairs);
}

TEST_CASE("a gate that ends early takes a last look with what is left of the level") {
  const GateRule rule;
  CHECK(judge(pairs_around(6, 0.001, 6), rule, true).verdict == GateVerdict::regression); // 1/64 < 2.5 %
  CHECK(judge(pairs_around(6, 0.001, 5), rule, true).verdict == GateVerdict::undecided); // 1/32 is more
  CHECK(judge({}, rule, true).verdict == GateVerdict::undecided);
}

TEST_CASE("the number of pairs grows with the square of the noise, and with wild pairs") {
  const GateRule rule;
  CHECK(pairs_for_spread(0, rule) == fewest_pairs);
  // (2.17 + 1.64)^2 x 1.2 x (0.04 / 0.0287)^2 x pi / 3 + 2.17^2 / 2 = 37.9
  CHECK(pairs_for_spread(0.04, rule) == 38);
  CHECK(pairs_for_spread(0.08, rule) == 146); // 4 x 35.5 + 2.4 = 144.4
  CHECK(pairs_for_spread(1, rule) == most_pairs);
  // Wild pairs: 8 + 4/3 x 3.815^2 x (1 / part^2 - 1) = 8 + 19.4 x 0.778 = 23.1 for three quarters.
  CHECK(pairs_for_agreement(1, rule) == fewest_pairs);
  CHECK(pairs_for_agreement(0.75, rule) == 24);
  CHECK(pairs_for_agreement(0, rule) == most_pairs);
  std::vector<double> one_wild = pairs_around(0, 0.001, 7);
  one_wild.push_back(1); // 7 of 28 means of two are far off
  CHECK(judge(one_wild, rule, false).asked == 24);
}

// Bounds are the means that decision 265 has, and four standard deviations of as many trials.
TEST_CASE("false alarms, false passes and power of the gate are as stated, with normal noise and with outliers") {
  struct Noise {
    const char* name;
    double (*draw)(std::mt19937_64&);
    double spread;
  };
  constexpr int trials = 250;
  for (const Noise& noise :
       {Noise{"quiet", normal, 0.005}, Noise{"usual", normal, 0.02}, Noise{"wild", with_outliers, 0.005}}) {
    CAPTURE(noise.name);
    const auto draw = [&noise](std::mt19937_64& random) { return noise.spread * noise.draw(random); };
    const Rates same = rates_of(trials, 0, draw, 1);
    CHECK(same.regressions == 0);
    CHECK(same.passes >= trials * 0.95);
    const Rates at_tolerance = rates_of(trials, 3, draw, 2);
    CHECK(at_tolerance.regressions <= trials * 0.025 + 10);
    CHECK(at_tolerance.passes <= trials * 0.025 + 10);
    const Rates slower = rates_of(trials, 6, draw, 3);
    CHECK(slower.passes == 0);
    CHECK(slower.regressions >= trials * 0.95);
    CHECK(slower.pairs < at_tolerance.pairs); // it stops early
  }
}
