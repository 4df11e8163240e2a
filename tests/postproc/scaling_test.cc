// Steps 1 and 2 on T(p) = 1 + 9/p seconds: T(1) = 10, T(2) = 5.5, T(4) = 3.25, T(8) = 2.125, whose
// serial fraction is exactly 0.1 and whose largest speedup is 10.
#include "postproc/analysis/scaling.h"

#include <catch2/catch.hpp>

using namespace andes;
using namespace andes::postproc;

namespace {

struct Times {
  int ranks;
  std::vector<double> seconds;
  bool oversubscribed = false;
};

Build build_of(const std::vector<Times>& points) {
  Build build;
  for (const Times& t : points) {
    Point point;
    point.ranks = point.size = t.ranks;
    point.oversubscribed = t.oversubscribed;
    point.runs.resize(t.seconds.size());
    point.times_s = sample_of(t.seconds, static_cast<std::uint64_t>(t.ranks));
    build.points.push_back(std::move(point));
  }
  return build;
}

const Projection* projected(const Scaling& s, int ranks, const std::string& model) {
  for (const Projection& p : s.projection)
    if (p.size == ranks && p.model == model) return &p;
  return nullptr;
}

} // namespace

TEST_CASE("Karp and Flatt's serial fraction, Amdahl's law") {
  CHECK(karp_flatt(10 / 3.25, 4) == Approx(0.1));
  CHECK(karp_flatt(4, 4) == Approx(0));
  CHECK(karp_flatt(1, 4) == Approx(1));
  CHECK(amdahl(0.1, 4) == Approx(10 / 3.25));
  CHECK(amdahl(0, 8) == Approx(8));
  CHECK(amdahl(1, 8) == Approx(1));
}

TEST_CASE("the serial share of a base run converts to the program's fraction and back") {
  // Serial 1 s of T(2) = 5.5 s: a share of 0.1818 of the base, of 0.1 of the program.
  CHECK(fraction_of_program(1 / 5.5, 2) == Approx(0.1));
  CHECK(share_of_base(0.1, 2) == Approx(1 / 5.5));
  CHECK(fraction_of_program(0.3, 1) == Approx(0.3));
  CHECK(fraction_of_program(0, 4) == 0);
  CHECK(fraction_of_program(1, 4) == 1);
  CHECK(fraction_of_program(2, 2) == 2); // slower than the base: nothing to convert
}

TEST_CASE("speedup, efficiency, serial fraction and limit of the known program") {
  const Scaling s = scaling_of(build_of({{1, {10}}, {2, {5.5}}, {4, {3.25}}, {8, {2.125}}}), nullptr, false);
  CHECK(s.base_ranks == 1);
  CHECK(s.base_time_s.median == 10);
  REQUIRE(s.points.size() == 4);
  CHECK(s.points[0].speedup.median == 1);
  CHECK_FALSE(s.points[0].serial_fraction);
  CHECK(s.points[1].speedup.median == Approx(10 / 5.5));
  CHECK(s.points[2].efficiency.median == Approx(10 / 3.25 / 4));
  for (std::size_t i = 1; i < 4; ++i) {
    REQUIRE(s.points[i].serial_fraction);
    CHECK(s.points[i].serial_fraction->median == Approx(0.1));
    CHECK_FALSE(s.points[i].base_share);
  }
  REQUIRE(s.limit_speedup);
  CHECK(s.limit_speedup->median == Approx(10));
  CHECK(s.limit_speedup->kind == Estimate::Kind::point);
  CHECK_FALSE(s.limit_over_base);
  REQUIRE(projected(s, 16, "amdahl"));
  CHECK(projected(s, 16, "amdahl")->speedup.median == Approx(10 / 1.5625));
  REQUIRE(projected(s, 128, "amdahl"));
  CHECK_FALSE(projected(s, 16, "amdahl_trend"));
  CHECK(s.trend.slope->median == Approx(0).margin(1e-12));
  CHECK(s.trend.verdict == Verdict::undecided); // single runs say nothing of noise
}

TEST_CASE("a constant fraction with repeats is called constant, with an interval") {
  const auto noisy = [](double t) {
    return std::vector<double>{t, 1.001 * t, 0.999 * t, 1.002 * t, 0.998 * t, 1.0005 * t};
  };
  const Scaling s =
      scaling_of(build_of({{1, noisy(10)}, {2, noisy(5.5)}, {4, noisy(3.25)}, {8, noisy(2.125)}}), nullptr, false);
  CHECK(s.trend.verdict == Verdict::constant);
  CHECK(s.trend.slope->kind == Estimate::Kind::interval);
  const Estimate& f = *s.points[3].serial_fraction;
  CHECK(f.kind == Estimate::Kind::interval);
  CHECK(*f.low < 0.1);
  CHECK(*f.high > 0.1);
  CHECK(*s.limit_speedup->low > 9);
  CHECK(*s.limit_speedup->high < 11.2);
}

TEST_CASE("a rising fraction is told and projected beside the upper bound") {
  // T = 10 (f + (1 - f)/p) with f = 0.1, 0.2, 0.3 at p = 2, 4, 8: a slope of 0.1 per doubling.
  const Scaling s =
      scaling_of(build_of({{1, {10, 10}}, {2, {5.5, 5.5}}, {4, {4, 4}}, {8, {3.875, 3.875}}}), nullptr, false);
  CHECK(s.trend.slope->median == Approx(0.1));
  CHECK(s.trend.slope->kind == Estimate::Kind::range);
  CHECK(s.trend.verdict == Verdict::rising);
  CHECK(projected(s, 16, "amdahl")->speedup.median == Approx(1 / (0.3 + 0.7 / 16)));
  REQUIRE(projected(s, 16, "amdahl_trend"));
  CHECK(projected(s, 16, "amdahl_trend")->speedup.median == Approx(1 / (0.4 + 0.6 / 16)));
  CHECK(projected(s, 32, "amdahl_trend")->speedup.median == Approx(1 / (0.5 + 0.5 / 32)));
}

TEST_CASE("a falling fraction is told; two fractions are too few for a verdict") {
  // f = 0.3, 0.2, 0.1 at p = 2, 4, 8.
  const Build falling = build_of({{1, {10, 10}}, {2, {6.5, 6.5}}, {4, {4, 4}}, {8, {2.125, 2.125}}});
  CHECK(scaling_of(falling, nullptr, false).trend.verdict == Verdict::falling);
  const Scaling two = scaling_of(build_of({{1, {10, 10}}, {2, {5.5, 5.5}}, {4, {4, 4}}}), nullptr, false);
  CHECK(two.trend.slope->median == Approx(0.1));
  CHECK(two.trend.verdict == Verdict::undecided);
  const Scaling one = scaling_of(build_of({{1, {10, 10}}, {2, {5.5, 5.5}}}), nullptr, false);
  CHECK_FALSE(one.trend.slope);
  CHECK(one.limit_speedup->median == Approx(10));
}

TEST_CASE("a base of two ranks gives the program's own fraction, and both limits") {
  const Scaling s = scaling_of(build_of({{2, {5.5}}, {4, {3.25}}, {8, {2.125}}}), nullptr, false);
  CHECK(s.base_ranks == 2);
  CHECK(s.points[1].speedup.median == Approx(5.5 / 3.25));
  CHECK(s.points[1].efficiency.median == Approx(5.5 / 3.25 / 2));
  for (const std::size_t i : {1, 2}) {
    CHECK(s.points[i].serial_fraction->median == Approx(0.1));
    CHECK(s.points[i].base_share->median == Approx(1 / 5.5));
  }
  CHECK(s.limit_speedup->median == Approx(10));
  CHECK(s.limit_over_base->median == Approx(5.5));
  CHECK(projected(s, 16, "amdahl")->speedup.median == Approx(5.5 / 1.5625)); // over the base
}

TEST_CASE("a superlinear program has no limit and no projection") {
  const Scaling s = scaling_of(build_of({{1, {10}}, {2, {4.9}}, {4, {2.4}}}), nullptr, false);
  CHECK(s.superlinear);
  CHECK(s.points[2].serial_fraction->median < 0);
  CHECK_FALSE(s.limit_speedup);
  CHECK(s.projection.empty());
}

TEST_CASE("speedup is more than in proportion only where repeats do not tell otherwise") {
  const Scaling single = scaling_of(build_of({{1, {10}}, {2, {4.9}}}), nullptr, false);
  CHECK(is_superlinear(*single.points[1].serial_fraction)); // f = -0.02, of single runs
  const Scaling surely = scaling_of(build_of({{1, {10, 10.1}}, {2, {4.9, 4.95}}}), nullptr, false);
  CHECK(is_superlinear(*surely.points[1].serial_fraction));
  const Scaling doubtful = scaling_of(build_of({{1, {10, 10}}, {2, {4.9, 5.05}}}), nullptr, false);
  CHECK(doubtful.superlinear); // the median of f is -0.005, its range reaches 0.01
  CHECK_FALSE(is_superlinear(*doubtful.points[1].serial_fraction));
}

TEST_CASE("a program that gets slower has a serial fraction, but no limit and no projection") {
  const Scaling s = scaling_of(build_of({{1, {10}}, {2, {12}}}), nullptr, false);
  CHECK(s.points[1].serial_fraction->median == Approx(1.4)); // (1.2 - 0.5) / 0.5
  CHECK(s.slowdown);
  CHECK_FALSE(s.superlinear);
  CHECK_FALSE(s.limit_speedup);
  CHECK(s.projection.empty());
}

TEST_CASE("a limit whose range reaches a fraction of zero has no upper bound") {
  const Scaling s = scaling_of(build_of({{1, {10, 10}}, {2, {4.99, 5.2}}}), nullptr, false);
  REQUIRE(s.limit_speedup);
  CHECK(*s.limit_speedup->low == Approx(1 / karp_flatt(10 / 5.2, 2)));
  CHECK_FALSE(s.limit_speedup->high);
}

TEST_CASE("oversubscribed points are drawn but take no part, unless asked for") {
  const Build build = build_of({{1, {10}}, {2, {5.5}}, {4, {9}, true}});
  const Scaling s = scaling_of(build, nullptr, false);
  CHECK(s.points[2].oversubscribed);
  CHECK_FALSE(s.points[2].usable);
  CHECK(s.points[2].speedup.median == Approx(10 / 9.0));
  CHECK_FALSE(s.points[2].serial_fraction);
  CHECK(s.limit_speedup->median == Approx(10)); // from two ranks
  CHECK(projected(s, 4, "amdahl"));
  const Scaling all = scaling_of(build, nullptr, true);
  CHECK(all.points[2].usable);
  CHECK(all.points[2].serial_fraction->median == Approx((0.9 - 0.25) / 0.75));
}

TEST_CASE("with a sequential base the relative speedup stands beside") {
  const Sample sequential = sample_of({8}, 99);
  const Scaling s = scaling_of(build_of({{1, {10}}, {2, {5.5}}}), &sequential, false);
  CHECK(s.base_ranks == 1);
  CHECK(s.points[0].speedup.median == Approx(0.8));
  CHECK(s.points[0].relative_speedup->median == 1);
  CHECK_FALSE(s.points[0].serial_fraction);
  CHECK(s.points[1].speedup.median == Approx(8 / 5.5));
  CHECK(s.points[1].relative_speedup->median == Approx(10 / 5.5));
  CHECK(s.points[1].serial_fraction->median == Approx(2 * 5.5 / 8 - 1)); // (1/A - 1/2) / (1/2)
}
