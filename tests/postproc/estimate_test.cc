// Medians, order statistics and bootstrap, against values computed by hand.
#include "postproc/analysis/estimate.h"

#include <catch2/catch.hpp>
#include <limits>

using namespace andes;
using namespace andes::postproc;

TEST_CASE("the exact interval of a median begins at six repeats") {
  // 2 P(Bin(n, 1/2) <= k) <= 0.05: n = 5: 2/32 is too much; n = 6: 2/64; n = 9: 2 x 10/512 for
  // k = 1; n = 12: 2 x 79/4096 for k = 2.
  CHECK_FALSE(median_interval(1));
  CHECK_FALSE(median_interval(5));
  CHECK(median_interval(6) == std::pair<std::size_t, std::size_t>(0, 5));
  CHECK(median_interval(8) == std::pair<std::size_t, std::size_t>(0, 7));
  CHECK(median_interval(9) == std::pair<std::size_t, std::size_t>(1, 7));
  CHECK(median_interval(12) == std::pair<std::size_t, std::size_t>(2, 9));
  // n = 1000: about 500 -+ 0.98 sqrt(1000) = 469 .. 531.
  const auto large = median_interval(1000);
  REQUIRE(large);
  CHECK(large->first == 468);
  CHECK(large->second == 531);
}

TEST_CASE("estimates are points, ranges or intervals by the number of repeats") {
  const Estimate one = estimate_of(sample_of({3}, 1));
  CHECK(one.median == 3);
  CHECK(one.kind == Estimate::Kind::point);
  CHECK_FALSE(one.low);
  const Estimate few = estimate_of(sample_of({5, 1, 2, 4}, 1));
  CHECK(few.median == 3);
  CHECK(few.kind == Estimate::Kind::range);
  CHECK(*few.low == 1);
  CHECK(*few.high == 5);
  const Estimate many = estimate_of(sample_of({9, 8, 7, 6, 5, 4, 3, 2, 1}, 1));
  CHECK(many.median == 5);
  CHECK(many.kind == Estimate::Kind::interval);
  CHECK(*many.low == 2);
  CHECK(*many.high == 8);
}

TEST_CASE("resampling does not depend on the order of the values and is the same every time") {
  const Sample a = sample_of({1, 2, 3, 4, 5, 6}, 7), b = sample_of({6, 5, 4, 3, 2, 1}, 7);
  REQUIRE(a.medians.size() == resample_count);
  CHECK(a.medians == b.medians);
  CHECK(a.medians != sample_of({1, 2, 3, 4, 5, 6}, 8).medians);
  CHECK(sample_of({1, 2, 3, 4, 5}, 7).medians.empty());
}

TEST_CASE("a median of resamples is that of the values drawn") {
  // Of 0 and 1 three each: a median is 0, 1/2 or 1, and 1/2 only when three of each are drawn:
  // C(6,3) / 64 = 0.3125.
  const Sample sample = sample_of({0, 0, 0, 1, 1, 1}, 3);
  double halves = 0, others = 0;
  for (const double median : sample.medians) (median == 0.5 ? halves : others) += 1;
  for (const double median : sample.medians) CHECK((median == 0 || median == 0.5 || median == 1));
  CHECK(halves / (halves + others) == Approx(0.3125).margin(0.04));
}

TEST_CASE("what follows from two times takes the corners of their ranges") {
  const auto speedup = [](double base, double time) { return base / time; };
  const Estimate e = derive(sample_of({10, 11}, 1), sample_of({5, 5.5}, 2), speedup);
  CHECK(e.median == Approx(10.5 / 5.25));
  CHECK(e.kind == Estimate::Kind::range);
  CHECK(*e.low == Approx(10 / 5.5));
  CHECK(*e.high == Approx(11 / 5.0));
  CHECK(derive(sample_of({10}, 1), sample_of({5}, 2), speedup).kind == Estimate::Kind::point);
  const Estimate mixed = derive(sample_of({10}, 1), sample_of({4, 5}, 2), speedup);
  CHECK(*mixed.low == 2);
  CHECK(*mixed.high == 2.5);
}

TEST_CASE("ranges decide where chance alone rarely sets two samples apart") {
  CHECK(chance_apart(1, 1) == Approx(1));
  CHECK(chance_apart(2, 2) == Approx(2 * 2 * 2 / 24.0)); // 2 n! m! / (n + m)!
  CHECK(chance_apart(3, 3) == Approx(2 * 6 * 6 / 720.0));
  CHECK(chance_apart(4, 4) == Approx(2 * 24 * 24 / 40320.0));
  CHECK(chance_apart(2, 6) == Approx(2 * 2 * 720 / 40320.0));
  CHECK(chance_apart(6, 2) == Approx(chance_apart(2, 6)));
  CHECK(more_to_decide(2, 2) == 2); // 1/35 at four and four
  CHECK(more_to_decide(3, 3) == 1);
  CHECK(more_to_decide(4, 4) == 0);
  CHECK(more_to_decide(2, 6) == 1); // 2 3! 7! / 10! = 1/60
  const Estimate range{1, 0.5, 2, Estimate::Kind::range}, interval{1, 0.5, 2, Estimate::Kind::interval};
  CHECK_FALSE(may_decide(range, 3, 3));
  CHECK(may_decide(range, 4, 4));
  CHECK(may_decide(interval, 6, 6));
  CHECK_FALSE(may_decide({1, {}, {}, Estimate::Kind::point}, 6, 6));
}

TEST_CASE("an interval without a bound has none") {
  const double infinite = std::numeric_limits<double>::infinity();
  const Estimate e = range_estimate(10, 8, infinite);
  CHECK(*e.low == 8);
  CHECK_FALSE(e.high);
  std::vector<double> resampled(100, 5);
  resampled[0] = std::numeric_limits<double>::quiet_NaN();
  for (int i = 1; i < 5; ++i) resampled[static_cast<std::size_t>(i)] = infinite;
  const Estimate p = percentile_estimate(5, resampled);
  CHECK(*p.low == 5);
  CHECK_FALSE(p.high);
}

TEST_CASE("the interval of a speedup covers it and narrows with the noise") {
  const auto speedup = [](double base, double time) { return base / time; };
  const Estimate e =
      derive(sample_of({9.9, 10, 10.1, 10, 10.05, 9.95}, 1), sample_of({4.95, 5, 5.05, 5, 5.02, 4.98}, 2), speedup);
  CHECK(e.kind == Estimate::Kind::interval);
  CHECK(e.median == Approx(2));
  CHECK(*e.low < 2);
  CHECK(*e.low > 9.9 / 5.05);
  CHECK(*e.high > 2);
  CHECK(*e.high < 10.1 / 4.95);
}
