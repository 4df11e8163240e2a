// What windows tell: the sums of hand-made windows, and how often the intervals hold the truth.
#include <catch2/catch.hpp>

#include <cmath>
#include <random>

#include "monitor/finish/window_estimate.h"

using namespace andes;

namespace {

/// A window of 100 ns, 1,000 ns after the one before.
void add(WindowSums& sums, std::int64_t visits, std::uint64_t timed, double ticks_each) {
  for (std::uint64_t i = 0; i < timed; ++i) add_timed(sums, static_cast<std::uint64_t>(ticks_each));
  add_window(sums, {10, 100, 1000, 0, sums.visits_seen + visits});
}

/// Times at which visits begin, and how long they take, ns.
struct Visits {
  std::vector<double> begins, ns;
  double length_ns = 0;
};

/// A window of `open_ns` from a random place in each stratum on, as windows.cc has them; a visit is seen where it begins.
WindowSums seen(const Visits& visits, double stratum_ns, double open_ns, std::mt19937& random) {
  WindowSums sums;
  std::size_t at = 0;
  double before = 0;
  std::uniform_real_distribution<> place(0, stratum_ns);
  for (double begin = 0; begin + 2 * stratum_ns <= visits.length_ns; begin += stratum_ns) {
    const double open = std::max(before, begin + place(random));
    std::int64_t count = 0;
    for (; at < visits.begins.size() && visits.begins[at] < open + open_ns; ++at) {
      if (visits.begins[at] < open) continue;
      ++count;
      add_timed(sums, static_cast<std::uint64_t>(visits.ns[at]));
    }
    add_window(sums, {stratum_ns / open_ns, open_ns, open + open_ns - before, 0, sums.visits_seen + count});
    before = open + open_ns;
  }
  sums.cpu_ns += visits.length_ns - before;
  return sums;
}

double sum_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

} // namespace

TEST_CASE("windows that are all alike leave no error") {
  WindowSums sums;
  for (int i = 0; i < 20; ++i) add(sums, 5, 2, 15);
  const WindowEstimate found = estimate(sums);
  CHECK(found.visits == Approx(20 * 5 * 10)); // a tenth of the time was seen
  CHECK(found.visits_error == Approx(0).margin(1e-9));
  CHECK(found.ticks.total == Approx(1000 * 15));
  CHECK(found.ticks.reliable);
  CHECK(sums.visits == 100);
}

TEST_CASE("the error of visits is that of successive differences") {
  WindowSums sums;
  for (int i = 0; i < 20; ++i) add(sums, i % 2 == 0 ? 4 : 6, 1, 15);
  // Weighted: 40 and 60 in turn. 19 differences of 20: a variance of 19 x 400 / 2; t of 40 / 3 degrees of freedom is 2.155.
  const WindowEstimate found = estimate(sums);
  CHECK(found.visits == Approx(1000));
  CHECK(found.visits_error == Approx(2.155 * std::sqrt(3800.0)).epsilon(0.01));
}

TEST_CASE("what is seen in few windows is not reliable, and nothing is nothing") {
  WindowSums sums;
  CHECK(estimate(sums).visits == 0);
  for (int i = 0; i < 20; ++i) add(sums, i == 7 ? 3 : 0, i == 7 ? 1 : 0, 10);
  CHECK(estimate(sums).visits == Approx(30));
  CHECK(!estimate(sums).ticks.reliable);
}

TEST_CASE("time in which the region was open is no part of it") {
  WindowSums sums;
  for (int i = 0; i < 10; ++i) add(sums, 5, 1, 15);
  sums.cpu_ns -= 4000; // closed 4,000 ns after the first of these stretches had begun
  CHECK(estimate(sums).visits == Approx(6000 * 50.0 / 1000));
}

TEST_CASE("intervals hold the truth in 93 % of runs and more, whatever the program's rhythm") {
  constexpr int runs = 400, fewest_held = runs * 93 / 100;
  const char* const kind = GENERATE("constant", "bimodal", "lognormal", "period of a stratum", "two phases");
  CAPTURE(kind);
  const std::string name = kind;
  std::mt19937 random(7);
  int visits_held = 0, time_held = 0;
  for (int run = 0; run < runs; ++run) {
    Visits visits;
    visits.length_ns = 300 * 10'000;
    std::lognormal_distribution<> lognormal(4, 1);
    for (double at = 0; at < visits.length_ns;) {
      const bool second = at > visits.length_ns / 3;
      const double in_period = std::fmod(at, 10'000);
      double ns = 100;
      if (name == "bimodal") ns = random() % 10 == 0 ? 550 : 55;
      if (name == "lognormal") ns = 1 + lognormal(random);
      if (name == "period of a stratum") ns = in_period < 3000 ? 40 : 200;
      if (name == "two phases") ns = second ? 30 : 150;
      visits.begins.push_back(at);
      visits.ns.push_back(std::floor(ns));
      at += ns + static_cast<double>(random() % 40);
    }
    const WindowEstimate found = estimate(seen(visits, 10'000, 500, random));
    const double true_visits = static_cast<double>(visits.begins.size()), true_ns = sum_of(visits.ns);
    visits_held += std::fabs(found.visits - true_visits) <= found.visits_error;
    time_held += found.ticks.total - found.ticks.below <= true_ns && true_ns <= found.ticks.total + found.ticks.above;
  }
  CHECK(visits_held >= fewest_held);
  CHECK(time_held >= fewest_held);
}
