// Totals and intervals of sampled visits; see estimate.h.
#include "monitor/finish/estimate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "monitor/finish/student.h"
#include "monitor/finish/tail.h"

namespace andes::monitor {
namespace {

constexpr std::uint64_t least_timed = 30;             // with fewer the estimate is never reliable
constexpr double least_degrees = 8;
constexpr double most_skewness = 0.3;
constexpr double largest_share = 0.1;
constexpr double most_tail = 0.05; // share of the time that may lie in a heavy tail

/// Standard errors below the estimate at which a studentised mean with `skewness` (of the mean, not
/// of one visit) has the quantile `y` (Hall 1992, the inverse of his cubic transformation).
double skewed(double skewness, double y) {
  if (std::fabs(skewness) < 1e-6) return y;
  return 3 / skewness * (std::cbrt(1 + skewness * (y - skewness / 6)) - 1);
}

} // namespace

Estimate sum_of(const Estimate& a, const Estimate& b) {
  return {a.total + b.total,        a.variance + b.variance, std::hypot(a.below, b.below), std::hypot(a.above, b.above),
          a.reliable && b.reliable, a.few || b.few};
}

Estimate within_itself(const Estimate& estimate) {
  if (estimate.reliable) return estimate;
  const Estimate least = guess(estimate.total);
  Estimate result = estimate;
  result.variance = std::max(estimate.variance, least.variance);
  result.below = std::max(estimate.below, least.below);
  result.above = std::max(estimate.above, least.above);
  return result;
}

Estimate doubted(const Estimate& estimate, double or_total) {
  const double size = std::max(estimate.total, or_total);
  Estimate result = estimate;
  result.variance = std::max(estimate.variance, size * size);
  result.below = estimate.total;
  result.above = std::max(estimate.above, (1 + student_quantile(2)) * size - estimate.total);
  result.reliable = false;
  return result;
}

Estimate moved(const Estimate& estimate, double more, double narrower) {
  const double of_it = narrower * narrower,
               of_other = narrower * std::sqrt(1 - of_it) * (estimate.below + estimate.above) / 2;
  Estimate result = estimate;
  result.total = std::max(0.0, estimate.total + more);
  result.variance *= of_it;
  result.below = std::min(std::hypot(of_it * estimate.below, of_other), result.total);
  result.above = std::hypot(of_it * estimate.above, of_other);
  return result;
}

Estimate estimate(const Sample& complete, double visits) {
  if (visits <= 0) return {0, 0, 0, 0, true};
  Sample sample = complete;
  close_group(sample);
  if (sample.timed == 0) {
    const double unknown = std::numeric_limits<double>::quiet_NaN();
    return {unknown, unknown, unknown, unknown, false, true};
  }
  const double scale = visits / sample.visits;
  const double total = scale * sample.ticks;
  if (sample.weight2 == 0) return {total, 0, 0, 0, true}; // all blocks of length one: no sampling
  if (sample.grouped2 == 0) return {total, total * total, total, student_quantile(2) * total, false, true};

  // Visits outside of complete groups are assumed to vary like those within.
  const double variance = scale * scale * sample.variance * (sample.weight2 / sample.grouped2);
  const double error = std::sqrt(variance);
  const bool few = sample.timed < least_timed;
  if (error == 0) return {total, 0, 0, 0, !few, few};
  const double third =
      sample.grouped3 == 0 ? 0 : scale * scale * scale * sample.third * (sample.weight3 / sample.grouped3);
  const double skewness = third / (variance * error);

  const double groups = static_cast<double>(sample.groups);
  double degrees = static_cast<double>(sample.timed) - groups;
  const double spread = sample.variance_squares - sample.variance * sample.variance / groups;
  if (spread > 0) degrees = std::min(degrees, std::max(least_degrees, 2 * sample.variance * sample.variance / spread));
  const double t = student_quantile(std::max(degrees, 2.0));

  Estimate result{total, variance, 0, 0, false, few};
  result.below = std::min(total, error * skewed(std::max(skewness, -most_skewness), t));
  result.above = -error * skewed(std::min(skewness, most_skewness), -t);
  const double share = std::max(largest_share, 10 / static_cast<double>(sample.timed));
  // What a heavy tail holds may be seen too seldom by as much as is seen of it.
  const double tail = heavy_tail_share(sample);
  if (tail <= most_tail) result.above = std::hypot(result.above, tail * total);
  result.reliable = !few && sample.largest <= share * sample.ticks && tail <= most_tail;
  return result;
}

} // namespace andes::monitor
