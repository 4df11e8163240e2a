#include "postproc/analysis/least_squares.h"

#include <catch2/catch.hpp>

using namespace andes::postproc;

TEST_CASE("a line through points, by hand") {
  // y = 1, 3, 4 at x = 0, 1, 2: slope 1.5, intercept 7/6; residuals -1/6, 1/3, -1/6.
  const std::vector<Equation> line{{{1, 0}, 1}, {{1, 1}, 3}, {{1, 2}, 4}};
  const LinearFit fit = *non_negative_fit(line, 2);
  CHECK(fit.coefficients[0] == Approx(7.0 / 6));
  CHECK(fit.coefficients[1] == Approx(1.5));
  CHECK(fit.squares == Approx(1.0 / 6));
  CHECK(fit.at({1, 4}) == Approx(7.0 / 6 + 6));
}

TEST_CASE("a coefficient that would be negative is zero, unless it may be") {
  const std::vector<Equation> falling{{{1, 0}, 3}, {{1, 1}, 2}, {{1, 2}, 1}};
  CHECK(linear_fit(falling, 2)->coefficients[1] == Approx(-1));
  CHECK(non_negative_fit(falling, 2)->coefficients[1] == 0);
  CHECK(non_negative_fit(falling, 2)->coefficients[0] == Approx(2)); // the mean
}

TEST_CASE("a weight counts as often as its square") {
  const LinearFit fit = *linear_fit({{{1}, 0, 1}, {{1}, 5, 2}}, 1);
  CHECK(fit.coefficients[0] == Approx(4)); // (0 + 4 x 5) / 5
}

TEST_CASE("too few equations, or columns that say the same, give nothing") {
  CHECK_FALSE(linear_fit({{{1, 1}, 1}}, 2));
  CHECK_FALSE(linear_fit({{{1, 2}, 1}, {{1, 2}, 3}}, 2));
}
