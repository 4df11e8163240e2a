// Paired differences, against distributions counted by hand and values of SciPy 1.10 (wilcoxon, binom).
#include "postproc/analysis/paired.h"

#include <catch2/catch.hpp>

#include "postproc/analysis/estimate.h"

using namespace andes::postproc;

TEST_CASE("the signed-rank distribution of three differences is that of the sums of 1, 2, 3") {
  // Of eight equally probable sums: 0, 1, 2, 3, 3, 4, 5, 6.
  CHECK(signed_rank_chance(3, 6) == Approx(1.0 / 8));
  CHECK(signed_rank_chance(3, 5) == Approx(2.0 / 8));
  CHECK(signed_rank_chance(3, 3) == Approx(5.0 / 8));
  CHECK(signed_rank_chance(3, 0) == Approx(1));
  CHECK(signed_rank_bound(3, 0.125) == 6u);
  CHECK(signed_rank_bound(3, 0.25) == 5u);
  CHECK_FALSE(signed_rank_bound(3, 0.12));
  CHECK_FALSE(signed_rank_bound(0, 0.5));
}

TEST_CASE("a shift is the median of the Walsh averages, with order statistics as its interval") {
  // Walsh averages of 1, 2, 4: 1, 1.5, 2, 2.5, 3, 4.
  const Shift wide = shift_of({4, 1, 2}, 0.125);
  CHECK(wide.middle == 2.25);
  CHECK(wide.low == 1.0);
  CHECK(wide.high == 4.0);
  const Shift narrow = shift_of({4, 1, 2}, 0.25);
  CHECK(narrow.low == 1.5);
  CHECK(narrow.high == 3.0);
  const Shift none = shift_of({4, 1, 2}, 0.1);
  CHECK(none.middle == 2.25);
  CHECK_FALSE(none.low);
  CHECK_FALSE(none.high);
}

TEST_CASE("the chance of an increase is that of the exact signed-rank test") {
  CHECK(chance_of_increase({1, 2, -3}) == Approx(5.0 / 8)); // ranks of the positive ones: 1 + 2
  CHECK(chance_of_increase({0, 0, 0}) == 1); // none is above zero
  CHECK(chance_of_increase({0.011, 0.042, -0.013, 0.027, 0.035, 0.002, 0.019, 0.051, 0.008, 0.024}) ==
        Approx(0.0068359375).epsilon(1e-9));
  CHECK(chance_of_increase({0.0108,  0.0193,  0.0008,  0.0171, 0.0285, 0.0182, 0.0412, -0.0077, 0.0113,
                            -0.0041, -0.0057, 0.0063,  0.0144, 0.0184, 0.0202, 0.0547, 0.0273,  -0.0219,
                            0.0141,  -0.0025, -0.0003, 0.0361, 0.0055, -0.029, 0.0162}) ==
        Approx(0.0030646026134490967).epsilon(1e-9));
  // One of them off by far changes nothing.
  CHECK(chance_of_increase({1, 2, 3, 4, 5, 6, 7, 8}) == Approx(1.0 / 256));
  CHECK(chance_of_increase({1, 2, 3, 4, 5, 6, 7, 8e9}) == Approx(1.0 / 256));
}

TEST_CASE("an interval excludes zero just where the test rejects it") {
  const std::vector<double> d{0.011, 0.042, -0.013, 0.027, 0.035, 0.002, 0.019, 0.051, 0.008, 0.024};
  const double chance = chance_of_increase(d);
  CHECK(*shift_of(d, chance).low > 0);
  CHECK(*shift_of(d, 0.9 * chance).low <= 0);
}

TEST_CASE("the exact interval of a median is that of SciPy") {
  // binom(n, 0.5).ppf(0.025) - 1 and isf(0.025), as scipy.stats.quantile_test takes them.
  struct Known {
    std::size_t n, low, high;
  };
  for (const Known known :
       {Known{6, 0, 5}, Known{8, 0, 7}, Known{9, 1, 7}, Known{12, 2, 9}, Known{20, 5, 14}, Known{25, 7, 17},
        Known{50, 17, 32}, Known{100, 39, 60}, Known{400, 179, 220}, Known{1000, 468, 531}})
    CHECK(median_interval(known.n) == std::pair(known.low, known.high));
}
