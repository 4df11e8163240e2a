// Gauss and Newton's method on N / X = a + b (N - 1) + c N (N - 1), which is linear in a = 1 / gamma, b = s a, c = k a.
// With X* = N / D at the coefficients of the last step, the next ones are the least squares of
// X*/D (a' + b' (N - 1) + c' N (N - 1)) = 2 X* - X.
#include "postproc/analysis/usl.h"

#include <algorithm>
#include <cmath>

#include "postproc/analysis/least_squares.h"

namespace andes::postproc {
namespace {

Columns columns_at(double size) { return {1, size - 1, size * (size - 1)}; }

double squares_of(const std::vector<Throughput>& points, const Columns& coefficients) {
  const LinearFit fit{coefficients};
  double sum = 0;
  for (const Throughput& p : points) {
    const double off = p.value - p.size / fit.at(columns_at(p.size));
    sum += off * off;
  }
  return sum;
}

std::optional<LinearFit> next_step(const std::vector<Throughput>& points, const LinearFit& last) {
  std::vector<Equation> equations;
  for (const Throughput& p : points) {
    const Columns columns = columns_at(p.size);
    const double divisor = last.at(columns), value = p.size / divisor;
    equations.push_back({columns, 2 * value - p.value, value / divisor});
    equations.back().value /= equations.back().weight;
  }
  return non_negative_fit(equations, 3);
}

} // namespace

double Usl::at(double size) const {
  return of_one * size / (1 + contention * (size - 1) + coherency * size * (size - 1));
}

std::optional<double> Usl::most() const {
  if (coherency <= 0 || contention >= 1) return {};
  return std::sqrt((1 - contention) / coherency);
}

std::optional<Usl> usl_of(const std::vector<Throughput>& points) {
  constexpr int most_steps = 200, most_halvings = 30;
  constexpr double converged = 1e-14;
  std::vector<Equation> equations;
  for (const Throughput& p : points)
    equations.push_back({columns_at(p.size), p.size / p.value, p.value * p.value / p.size});
  std::optional<LinearFit> fit = non_negative_fit(equations, 3);
  if (!fit || fit->coefficients[0] <= 0) return {};
  double squares = squares_of(points, fit->coefficients);
  for (int step = 0; step < most_steps; ++step) {
    const std::optional<LinearFit> next = next_step(points, *fit);
    if (!next) break;
    // The whole step, or as much of it as makes the fit better.
    double part = 1, moved = 0;
    bool better = false;
    for (int halving = 0; halving < most_halvings && !better; ++halving, part /= 2) {
      LinearFit tried = *fit;
      moved = 0;
      for (std::size_t i = 0; i < most_columns; ++i) {
        const double change = part * (next->coefficients[i] - fit->coefficients[i]);
        tried.coefficients[i] += change;
        moved = std::max(moved, std::fabs(change) / std::max(tried.coefficients[i], fit->coefficients[0] * 1e-9));
      }
      const double tried_squares = squares_of(points, tried.coefficients);
      better = tried.coefficients[0] > 0 && tried_squares <= squares;
      if (!better) continue;
      *fit = tried;
      squares = tried_squares;
    }
    if (!better || moved < converged) break;
  }
  const auto [a, b, c] = fit->coefficients;
  return Usl{b / a, c / a, 1 / a};
}

} // namespace andes::postproc
