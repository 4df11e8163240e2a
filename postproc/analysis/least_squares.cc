// Gram and Schmidt's orthogonalisation (modified, docs/metrics.md, "Models") of at most three columns.
#include "postproc/analysis/least_squares.h"

#include <cmath>
#include <numeric>

namespace andes::postproc {
namespace {

/// Least squares by the chosen columns alone; absent where they depend on each other.
std::optional<LinearFit> fit_by(const std::vector<Equation>& equations, const std::vector<std::size_t>& chosen) {
  constexpr double dependent = 1e-12; // part of a column that the ones before it leave
  const std::size_t rows = equations.size(), count = chosen.size();
  std::vector<std::vector<double>> q(count, std::vector<double>(rows));
  std::vector<double> rest(rows), projected(count);
  std::array<std::array<double, most_columns>, most_columns> r{};
  for (std::size_t i = 0; i < rows; ++i) rest[i] = equations[i].weight * equations[i].value;
  const auto dot = [rows](const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < rows; ++i) sum += a[i] * b[i];
    return sum;
  };
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t i = 0; i < rows; ++i) q[k][i] = equations[i].weight * equations[i].columns[chosen[k]];
    const double before = std::sqrt(dot(q[k], q[k]));
    for (std::size_t l = 0; l < k; ++l) {
      r[l][k] = dot(q[l], q[k]);
      for (std::size_t i = 0; i < rows; ++i) q[k][i] -= r[l][k] * q[l][i];
    }
    r[k][k] = std::sqrt(dot(q[k], q[k]));
    if (!(r[k][k] > dependent * before)) return {};
    for (double& value : q[k]) value /= r[k][k];
    projected[k] = dot(q[k], rest);
    for (std::size_t i = 0; i < rows; ++i) rest[i] -= projected[k] * q[k][i];
  }
  LinearFit fit;
  for (std::size_t k = count; k-- > 0;) {
    double value = projected[k];
    for (std::size_t l = k + 1; l < count; ++l) value -= r[k][l] * fit.coefficients[chosen[l]];
    fit.coefficients[chosen[k]] = value / r[k][k];
  }
  fit.squares = dot(rest, rest);
  return fit;
}

} // namespace

double LinearFit::at(const Columns& columns) const {
  double sum = 0;
  for (std::size_t i = 0; i < most_columns; ++i) sum += coefficients[i] * columns[i];
  return sum;
}

std::optional<LinearFit> linear_fit(const std::vector<Equation>& equations, std::size_t columns) {
  if (equations.size() < columns) return {};
  std::vector<std::size_t> all(columns);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return fit_by(equations, all);
}

std::optional<LinearFit> non_negative_fit(const std::vector<Equation>& equations, std::size_t columns) {
  std::optional<LinearFit> best;
  if (equations.size() < columns) return best;
  for (std::size_t set = 1; set < std::size_t{1} << columns; ++set) {
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < columns; ++i)
      if (set >> i & 1) chosen.push_back(i);
    const std::optional<LinearFit> fit = fit_by(equations, chosen);
    if (!fit) continue;
    bool allowed = true;
    for (const std::size_t i : chosen) allowed = allowed && fit->coefficients[i] >= 0;
    if (allowed && (!best || fit->squares < best->squares)) best = fit;
  }
  return best;
}

} // namespace andes::postproc
