// Chances that can be computed by hand, and an example of the paper.
#include "postproc/analysis/two_samples.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "postproc/analysis/false_discoveries.h"

using namespace andes::postproc;
using Catch::Detail::Approx;

TEST_CASE("chances of two samples") {
  // Two and two values, means 1.5 and 3.5 with variances 1/2: t = 2 / sqrt(1/2), two degrees, 1 - t / sqrt(t^2 + 2).
  CHECK(welch_chance({1, 2}, {3, 4}) == Approx(1 - std::sqrt(8.0 / 10)));
  CHECK(welch_chance({3, 4}, {1, 2}) == Approx(1 - std::sqrt(8.0 / 10)));
  CHECK(welch_chance({1}, {3, 4}) == 1);
  CHECK(welch_chance({1, 1}, {1, 1}) == 1);
  CHECK(welch_chance({1, 1}, {2, 2}) == 0);
  // All of one side below: 2 n! m! / (n + m)!
  CHECK(rank_sum_chance({1, 2, 3}, {4, 5, 6}) == Approx(0.1));
  CHECK(rank_sum_chance({1, 2, 3, 4, 5, 6}, {7, 8, 9, 10, 11, 12}) == Approx(2.0 / 924));
  CHECK(rank_sum_chance({1, 4}, {2, 3}) == 1);
  CHECK(rank_sum_chance({1, 1, 1}, {1, 1, 1}) == 1);
  // Ranks 1.5 1.5 3 of {1 1 2 | 3 3 4}: 1 of 20 choices has this sum or less, and 1 as far above.
  CHECK(rank_sum_chance({1, 1, 2}, {3, 3, 4}) == Approx(0.1));
  std::vector<double> low, high;
  for (int i = 0; i < 40; ++i) low.push_back(i), high.push_back(i + 0.5);
  CHECK(rank_sum_chance(low, high) == Approx(0.85).margin(0.01)); // U = 820, normal: z = 20 / sqrt(10800)
}

TEST_CASE("equal within a margin") {
  const std::vector<double> a{10, 10.1, 9.9, 10}, b{10.05, 10.1, 10, 10.05};
  CHECK(unequal_chance(a, b, 1) < 1e-4);
  CHECK(unequal_chance(a, b, 0.05) == Approx(0.5).margin(0.01)); // as far apart as the margin
  CHECK(unequal_chance(a, b, 0.01) > 0.5);
  CHECK(unequal_chance({1}, {1}, 1) == 1);
}

TEST_CASE("how many more would tell") {
  // Spread 1, difference 1, level 5 %: 2 (1.960 + 0.842)^2 = 15.7 of each; there are three.
  CHECK(*more_values({-1, 0, 1}, {0, 1, 2}, 0, 0.05) == 13);
  // No difference, margin 2: 2 (1.645 + 0.842)^2 / 4 = 3.1, and four at least.
  CHECK(*more_values({-1, 0, 1}, {-1, 0, 1}, 2, 0.05) == 1);
  CHECK_FALSE(more_values({1}, {2}, 1, 0.05));
}

TEST_CASE("false discoveries") {
  // Benjamini and Hochberg 1995, section 3.2: the first four of fifteen at 5 %
  const std::vector<double> chances{0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
                                    0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000};
  const std::vector<bool> found = discoveries(chances, 0.05);
  CHECK(std::count(found.begin(), found.end(), true) == 4);
  CHECK(found[3]);
  CHECK_FALSE(found[4]);
  CHECK(discoveries({0.06}, 0.05) == std::vector<bool>{false});
  CHECK(joint_chance({0.02, 0.5, 0.03}) == Approx(0.045));
  CHECK(joint_chance({}) == 1);
}
