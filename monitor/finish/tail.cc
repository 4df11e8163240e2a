// Whether the tail is heavy, judged by the log-survival function over the histogram; see tail.h.
//
// The tail index is the hazard of the logarithm of the duration: the rate -d ln P(X > x) / d ln x.
// It is constant for a Pareto distribution, and its mean above a threshold is Hill's estimator
// (Hill 1975). A lognormal's grows with ln x, slowly: among the largest of 2,000 visits one with
// s = 1.5 has an index of 1.7, so the largest visits alone cannot distinguish them. Its growth from the median on
// can: the index is fitted as a + b ln(x / x0) above several thresholds x0, and extrapolated to the largest
// duration expected among so many visits. Without evidence the tail counts as heavy. Rejected: Hill's estimator
// at fixed depths, none of which distinguishes that lognormal from a Pareto tail of 1.8.
#include "monitor/finish/tail.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace andes::monitor {
namespace {

constexpr double limit_index = 2;   // at this index and below the variance is infinite
constexpr double first_share = 0.7; // largest share of visits above the first threshold
constexpr double main_share = 0.15; // smallest share for a threshold that judges the bulk, not the end
constexpr double least_visits = 10; // above a threshold, for a fit
constexpr double single_odds = 1. / 200; // probability at the limit that all visits are in one bucket
// The tail is light if the index is above the limit by so many standard errors: at the first and second
// threshold, at deeper ones, and for Hill's estimator; and the number below it at which the tail is heavy
// after all. Chosen by simulation (bench_sample): Pareto tails of 1.8 pass in 4 % of samples of 2,000.
constexpr double light_first = 1.1, light_second = 1.8, light_deep = 3, light_mean = 2.9;
constexpr double heavy = -0.7, heavy_mean = -0.5;

/// A bucket at or above a threshold.
struct Step {
  double place;    // ln of its middle over the threshold
  double exposure; // visits that reached it, times ln of its width (life table: visits in it count half)
  double hazard;   // visits in it / exposure
};

/// The buckets at and above a threshold, and the visits in them.
struct Steps {
  std::array<Step, sample_buckets> all;
  std::size_t count = 0;
  double visits = 0;
};

/// Standard errors by which the index at the largest duration is above limit_index.
double evidence_at_end(const Steps& steps) {
  double a = 0, b = 0, variance_a = 0, variance_b = 0, covariance = 0;
  for (int round = 0; round < 2; ++round) {
    // Weighted least squares; a step's hazard has the variance hazard / exposure.
    double w = 0, wx = 0, wxx = 0, wy = 0, wxy = 0;
    for (std::size_t i = 0; i < steps.count; ++i) {
      const Step& step = steps.all[i];
      const double fitted = round == 0 ? 1 : std::max(a + b * step.place, 0.1);
      const double weight = step.exposure / fitted;
      w += weight;
      wx += weight * step.place;
      wxx += weight * step.place * step.place;
      wy += weight * step.hazard;
      wxy += weight * step.place * step.hazard;
    }
    const double determinant = w * wxx - wx * wx;
    if (determinant <= 1e-9 * w * wxx) { // only one bucket
      a = wy / w;
      b = covariance = variance_b = 0;
      variance_a = a / steps.all[0].exposure;
      break;
    }
    b = (w * wxy - wx * wy) / determinant;
    a = (wy - b * wx) / w;
    variance_a = wxx / determinant;
    variance_b = w / determinant;
    covariance = -wx / determinant;
  }
  // The expected largest of `visits` is where a u + b u^2 / 2 = ln(visits); the index there is the
  // root of a^2 + 2 b ln(visits). An index that falls is taken at the largest duration seen.
  const double decline = std::log(steps.visits);
  double index, by_a, by_b;
  if (b >= 0) {
    index = std::sqrt(std::max(a * a + 2 * b * decline, 1e-6));
    by_a = a / index;
    by_b = decline / index;
  } else {
    by_a = 1;
    by_b = steps.all[steps.count - 1].place;
    index = a + b * by_b;
  }
  const double variance = by_a * by_a * variance_a + by_b * by_b * variance_b + 2 * by_a * by_b * covariance;
  return (index - limit_index) / std::sqrt(std::max(variance, 1e-12));
}

/// The same of the mean index above the threshold, Hill's estimate; by the cube root of the sum of
/// the visits' logarithms, a gamma variable (Wilson and Hilferty 1931).
double evidence_of_mean(const Steps& steps) {
  double exposure = 0;
  for (std::size_t i = 0; i < steps.count; ++i) exposure += steps.all[i].exposure;
  const double ninth = 1 / (9 * steps.visits);
  return (1 - ninth - std::cbrt(limit_index * exposure / steps.visits)) / std::sqrt(ninth);
}

/// All visits are in one bucket, which is improbable at the limit.
bool single(const Steps& steps) {
  const double width = 2 * steps.all[0].place;
  return steps.count == 1 && steps.visits * std::log1p(-std::exp(-limit_index * width)) < std::log(single_odds);
}

/// Share of the time of timed visits that those in bucket `begin` and above have.
double share_above(const Sample& sample, std::uint32_t begin) {
  double above = 0, all = 0;
  for (std::uint32_t i = 0; i < sample_buckets; ++i) {
    const auto from = static_cast<double>(sample_bucket_begin(i)), to = static_cast<double>(sample_bucket_begin(i + 1));
    const double ticks = sample.histogram[i] * (from + to) / 2;
    all += ticks;
    if (i >= begin) above += ticks;
  }
  return all > 0 ? above / all : 0;
}

} // namespace

double heavy_tail_share(const Sample& sample) {
  // reach[i]: visits in bucket i or above.
  std::array<double, sample_buckets + 1> reach{};
  std::array<double, sample_buckets> width{};
  for (std::uint32_t i = sample_buckets - 1; i > 0; --i) {
    reach[i] = reach[i + 1] + sample.histogram[i];
    width[i] = std::log(static_cast<double>(sample_bucket_begin(i + 1)) / static_cast<double>(sample_bucket_begin(i)));
  }
  const double all = reach[1] + sample.histogram[0];

  bool grows = false;   // the index is above the limit at the end of the tail
  bool compact = false; // the mean index is above the limit: the whole tail is light
  int number = 0;       // of the threshold
  std::uint32_t begin = 0; // of the heavy tail: the first threshold of those without a light one behind them
  double most = first_share * all;
  for (std::uint32_t start = 1; start < sample_buckets && reach[start] >= least_visits; ++start) {
    // Each threshold has about half the visits of the one before above it; there is another one below each
    // separate hump.
    const bool after_gap = start > 2 && sample.histogram[start - 1] + sample.histogram[start - 2] == 0;
    if (sample.histogram[start] == 0 || reach[start] > (after_gap ? first_share * all : most)) continue;
    most = reach[start] / 2;
    ++number;
    Steps steps;
    steps.visits = reach[start];
    double place = 0;
    for (std::uint32_t i = start; i < sample_buckets && reach[i] > 0; ++i) {
      const double exposure = (reach[i] - 0.5 * sample.histogram[i]) * width[i];
      steps.all[steps.count++] = {place + width[i] / 2, exposure, sample.histogram[i] / exposure};
      place += width[i];
    }
    const double at_end = evidence_at_end(steps), of_mean = evidence_of_mean(steps);
    const bool bulk = steps.visits >= main_share * all;
    const double light = bulk && number == 1 ? light_first : bulk && number == 2 ? light_second : light_deep;
    // The result of a deeper threshold overrides those of the earlier ones.
    if (at_end > light) grows = true;
    else if (at_end < heavy) grows = false;
    const bool is_compact = of_mean > light_mean || single(steps);
    if (is_compact) compact = true;
    else if (at_end < heavy || of_mean < heavy_mean) compact = false;
    if (at_end > light || is_compact) begin = 0;
    else if (begin == 0) begin = start;
  }
  // Without any threshold nearly all durations are alike, and the others are too few for a tail.
  if (number == 0 || grows || compact) return 0;
  return share_above(sample, begin);
}

} // namespace andes::monitor
