// Estimates: medians of repeated measurements with their uncertainty.
//
// Invariants:
//  - nothing is assumed about the distribution: exact order statistics for a median, bootstrap for
//    values computed from several medians (docs/metrics.md, "Intervals"; decision 70);
//  - below six repeats there is no 95 % interval of a median; the range is given instead, and for
//    a single run nothing;
//  - the seeds are fixed and the values sorted first: the same runs give the same bytes.
#pragma once
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace andes::postproc {

inline constexpr std::size_t repeats_for_interval = 6;
inline constexpr std::size_t resample_count = 2000;

/// `low` and `high` go with `kind` range or interval (95 %); one of them may be absent there: it
/// has no bound on that side.
struct Estimate {
  enum class Kind { point, range, interval };
  double median = 0;
  std::optional<double> low, high;
  Kind kind = Kind::point;
};

/// Repeats of one measurement.
struct Sample {
  std::vector<double> values;  // sorted
  std::vector<double> medians; // of bootstrap resamples; empty below repeats_for_interval
};

/// Sorts and resamples. Samples with different `seed` are resampled independently of each other.
Sample sample_of(std::vector<double> values, std::uint64_t seed);

/// Median; `sorted` is not empty.
double median_of(const std::vector<double>& sorted);

/// The order statistics (from 0) of the exact 95 % interval of a median of n values: [l, n-1-l],
/// l + 1 the largest with 2 P(Bin(n, 1/2) <= l) <= 0.05 (Hoefler and Belli,
/// doi 10.1145/2807591.2807644). Absent when n is too small.
std::optional<std::pair<std::size_t, std::size_t>> median_interval(std::size_t n);

/// Median of a sample with its exact interval, range, or neither.
Estimate estimate_of(const Sample& sample);

/// Percentile interval (95 %) of resampled values around `median`; values without bound (infinite
/// or not a number) sort to the top.
Estimate percentile_estimate(double median, std::vector<double> resampled);

/// Range between two corners, in any order; an infinite one is no bound.
Estimate range_estimate(double median, double corner, double other_corner);

/// A quantity computed from the times of two points, `f(base, point)`, monotone in both in opposite
/// senses (as speedup and all that follows from it): bootstrap, or corners of the ranges.
template <class Function> Estimate derive(const Sample& base, const Sample& point, Function f) {
  const double median = f(median_of(base.values), median_of(point.values));
  if (!base.medians.empty() && !point.medians.empty()) {
    std::vector<double> resampled(resample_count);
    for (std::size_t i = 0; i < resample_count; ++i) resampled[i] = f(base.medians[i], point.medians[i]);
    return percentile_estimate(median, std::move(resampled));
  }
  if (base.values.size() + point.values.size() <= 2) return {median, {}, {}, Estimate::Kind::point};
  return range_estimate(median, f(base.values.front(), point.values.back()),
                        f(base.values.back(), point.values.front()));
}

/// The chance that n and m values of one distribution lie apart, all of the ones below all of the others or above them:
/// 2 n! m! / (n + m)!, the level of the exact rank-sum test (Wilcoxon, doi 10.2307/3001968).
double chance_apart(std::size_t n, std::size_t m);

/// Whether `difference`, derived from samples of n and m values, counts as a difference: its interval excludes zero, or
/// its range does and would do so by chance in at most 5 of 100 cases.
bool may_decide(const Estimate& difference, std::size_t n, std::size_t m);

/// How many more values each sample needs until a range may decide; 0: none.
std::size_t more_to_decide(std::size_t n, std::size_t m);

/// `estimate` with another, independent error of its values added: distances to the ends add as
/// squares. A point that gets an error becomes a range.
Estimate widened(Estimate estimate, double below, double above);

/// `estimate` with all its numbers multiplied by a positive factor.
Estimate scaled(Estimate estimate, double factor);

} // namespace andes::postproc
