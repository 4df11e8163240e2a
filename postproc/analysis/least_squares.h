// Least squares with few coefficients, if wanted none of them below zero: parts of a time are not negative. With at
// most three coefficients every set of those that are zero is tried, which is exact.
#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace andes::postproc {

inline constexpr std::size_t most_columns = 3;
using Columns = std::array<double, most_columns>; // those beyond a fit's number are zero

/// One equation: weight x (sum of coefficient x column) = weight x value.
struct Equation {
  Columns columns{};
  double value = 0, weight = 1;
};

struct LinearFit {
  Columns coefficients{};
  double squares = 0; // weighted sum of squared residuals
  double at(const Columns& columns) const;
};

/// Least squares by the first `columns` coefficients, of either sign. Absent with fewer equations than that, or where
/// columns depend on each other.
std::optional<LinearFit> linear_fit(const std::vector<Equation>& equations, std::size_t columns);

/// The fit with the smallest sum of squares whose first `columns` coefficients are not below zero. Absent with fewer
/// equations than that, or where nothing fits.
std::optional<LinearFit> non_negative_fit(const std::vector<Equation>& equations, std::size_t columns);

} // namespace andes::postproc
