// Ratio estimates from strata with one window each. With u the weighted columns of a window and U their sums, C the
// whole time that the thread had a core, the visits are V = C U_visits / U_cpu and their time is
// T = V U_ticks / U_timed. To first order the error of each is that of the sum of its residuals over rounds, whose
// variance is half the sum of squares of successive differences: a linear form in the columns, so the products of the
// columns' differences are enough.
#include "monitor/finish/window_estimate.h"

#include <algorithm>
#include <cmath>

#include "monitor/core/probe_costs.h"
#include "monitor/finish/student.h"

namespace andes::monitor {
namespace {

constexpr std::uint32_t fewest_timed = 4; // rounds with timed visits; with fewer the estimate is never reliable
constexpr std::uint32_t fewest_differences = fewest_timed - 1;
constexpr double least_degrees = 2;
constexpr double most_cut = 0.5; // the largest part of the time of visits whose recursion was not all seen

using Coefficients = double[window_columns];

/// Student's t of n equal rounds. With an excess kurtosis of g the half squares of their successive differences have
/// the variance (3 + g) / n of a mean of one, so 2 n / (3 + g) degrees of freedom. A window catches some clusters of
/// visits and misses others, whose numbers scatter like Poisson's of few: g = 1 / m, about 1.
double t_of(double rounds) { return student_quantile(std::max(least_degrees, rounds / 2)); }

/// How many rounds of equal weight tell as much as those there are, the column being the weight: the square of its sum
/// over the sum of squares (Kish, Survey Sampling, 11.7), which follows from the differences between successive rounds;
/// no more than these tell of, there must be one.
double equal_rounds(const WindowSums& sums, std::uint32_t column) {
  const std::uint32_t squared = column * (column + 1) / 2 + column; // in the products
  const double rounds = sums.rounds, whole = static_cast<double>(sums.windows) / windows_a_round;
  const double mean = sums.sum[column] / whole, differences = sums.differences;
  const double spread = sums.products[squared] / 2 * rounds / differences;
  return std::min(differences + 1, rounds * rounds * mean * mean / (spread + rounds * mean * mean));
}

/// By how much the variance is larger than it looks: residuals about a mean of few rounds are smaller than those about
/// the true one.
double of_few(double rounds) {
  const double at_least = std::max(1.5, rounds);
  return at_least / (at_least - 1);
}

/// The interval of a sum of what random windows have caught, which has the variance v. Were the true sum s, and not
/// the estimate, the variance would be v s / estimate: the ends are the s that are t roots of that away from the
/// estimate (Wilson, J. Am. Stat. Assoc. 22, 1927). `half` is t root v. Where that is more than twice the estimate most
/// of the variance is not that of the sum itself, but of what was subtracted, which does not grow with it: then as much
/// of it is constant as if the estimate were half / 2.
Distances to_ends(double total, double half) {
  if (!(half > 0)) return {};
  const double at_least = std::max(total, half / 2);
  const double logarithm = 2 * std::asinh(half / at_least / 2);
  return {-at_least * std::expm1(-logarithm), at_least * std::expm1(logarithm)};
}

/// How far visits are off as the cost of counting them depends on the code around the probe: those that the same
/// windows tell if it was least or most (decision 296), where there were any. Where most of a window may have been
/// cost, little tells how much was not.
Distances from_cost(double visits, double cpu_ns, double cost_ns) {
  constexpr double least_left = 0.25;
  if (!(cpu_ns > 0)) return {visits, (1 / least_left - 1) * visits}; // all that the windows held was cost
  const double longest = cpu_ns + (1 - least_of_counted) * cost_ns,
               shortest = std::max(least_left * cpu_ns, cpu_ns - (most_of_counted - 1) * cost_ns);
  return {visits * (1 - cpu_ns / longest), visits * (cpu_ns / shortest - 1)};
}

/// Of independent errors of one value, which is `at_most` too large.
Distances joined(const Distances& a, const Distances& b, double at_most) {
  return {std::min(at_most, std::hypot(a.below, b.below)), std::hypot(a.above, b.above)};
}

/// Variance of the sum over windows of a linear form in the columns (Wolter, Introduction to Variance Estimation, 8.2);
/// there must be a difference.
double variance_of(const WindowSums& sums, const Coefficients& by) {
  double squares = 0;
  for (std::uint32_t i = 0, product = 0; i < window_columns; ++i)
    for (std::uint32_t j = 0; j <= i; ++j, ++product)
      squares += by[i] * by[j] * sums.products[product] * (i == j ? 1 : 2);
  const double rounds = static_cast<double>(sums.windows) / windows_a_round;
  return std::max(0.0, squares) / 2 * rounds / sums.differences;
}

/// Covariance of the sums of two columns, in terms of both.
double relative_covariance(const WindowSums& sums, std::uint32_t i, std::uint32_t j) {
  const std::uint32_t product = std::max(i, j) * (std::max(i, j) + 1) / 2 + std::min(i, j);
  const double rounds = static_cast<double>(sums.windows) / windows_a_round, both = sums.sum[i] * sums.sum[j];
  return both > 0 ? sums.products[product] / 2 * rounds / sums.differences / both : 0;
}

/// What takes the bias from V x / m, which is one of the second order: where visits become longer, fewer begin in a
/// window, and windows with few of them count as much in the mean of the ratio as those with many (E. M. L. Beale,
/// Industrielle Organisation 31, 1962; Tin, J. Am. Stat. Assoc. 60, 1965; decision 318).
double without_bias(const WindowSums& sums) {
  constexpr double most = 2;
  const auto of = [&](std::uint32_t i, std::uint32_t j) { return relative_covariance(sums, i, j); };
  const double up = 1 + of(window_ticks, window_timed) + of(window_visits, window_timed),
               down = 1 + of(window_timed, window_timed) + of(window_visits, window_ticks);
  return std::clamp(down > 0 ? up / down : most, 1 / most, most);
}

/// The part of the time of timed visits that ended after their windows, of recursion: in it visits may take twice as
/// long as in the other part, or no time.
double share_cut(const WindowSums& sums) {
  const double whole = std::max(0.0, sums.ticks) + sums.below_ticks;
  return sums.cut_ticks > 0 ? sums.cut_ticks / (sums.cut_ticks + whole) : 0;
}

} // namespace

void limit_below(Distances& by_chance, Distances& by_cost, double at_most) {
  const double both = std::hypot(by_chance.below, by_cost.below);
  if (!(both > at_most)) return;
  by_chance.below *= at_most / both;
  by_cost.below *= at_most / both;
}

WindowEstimate estimate(const WindowSums& sums) {
  WindowEstimate result;
  const double visits = sums.sum[window_visits], timed = sums.sum[window_timed], cpu = sums.sum[window_cpu];
  if (sums.windows == 0 || !(cpu > 0) || !(visits > 0) || !(sums.cpu_ns > 0)) return result;
  const double scale = sums.cpu_ns / cpu, rate = visits / cpu;
  result.visits = scale * visits;
  const double mean = sums.sum[window_ticks] / timed, total = std::max(0.0, result.visits * mean);
  if (!(timed > 0)) result.ticks = {std::nan(""), 0, 0, 0, false, true};
  const double unseen = std::max(0.0, result.visits - static_cast<double>(sums.visits));
  if (sums.differences == 0) { // nothing shows how rounds differ
    result.visits_error = {unseen, result.visits};
    if (timed > 0) result.ticks = guess(total);
    return result;
  }
  const double rounds = equal_rounds(sums, window_visits);
  const Coefficients of_visits = {scale, 0, 0, -scale * rate};
  const Distances of_cost = from_cost(result.visits, sums.visited_ns, sums.cost_ns);
  const double half = t_of(rounds) * std::sqrt(variance_of(sums, of_visits) * of_few(rounds));
  result.visits_error = to_ends(result.visits, half);
  result.visits_cost = of_cost;
  limit_below(result.visits_error, result.visits_cost, unseen);
  if (!(timed > 0)) return result;
  const double stands_for = visits / timed;
  const Coefficients of_ticks = {scale * mean, -scale * stands_for * mean, scale * stands_for, -scale * rate * mean};
  Estimate& ticks = result.ticks;
  const double factor = without_bias(sums);
  ticks.total = total * factor;
  const double timed_rounds = equal_rounds(sums, window_timed);
  ticks.variance = factor * factor * variance_of(sums, of_ticks) * of_few(timed_rounds);
  const Distances by_chance = joined(to_ends(ticks.total, t_of(timed_rounds) * std::sqrt(ticks.variance)),
                                     {mean * of_cost.below, mean * of_cost.above}, ticks.total);
  const double cut = share_cut(sums);
  const Distances ends = joined(by_chance, {cut * ticks.total, cut * ticks.total}, ticks.total);
  ticks.below = ends.below;
  ticks.above = ends.above;
  ticks.reliable = sums.timed_rounds >= fewest_timed && sums.differences >= fewest_differences && cut < most_cut;
  ticks.few = !ticks.reliable;
  return result;
}

} // namespace andes::monitor
