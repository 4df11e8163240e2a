// Order statistics and bootstrap. The generator is std::mt19937_64, whose output the standard
// fixes; the distributions of the standard library are not used, since the standard does not fix their output.
#include "postproc/analysis/estimate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace andes::postproc {
namespace {

constexpr double most_chance = 0.05; // of reporting a difference that does not exist

std::optional<double> bounded(double value) {
  return std::isfinite(value) ? std::optional<double>(value) : std::nullopt;
}

} // namespace

double median_of(const std::vector<double>& sorted) {
  const std::size_t n = sorted.size();
  return n % 2 == 1 ? sorted[n / 2] : 0.5 * (sorted[n / 2 - 1] + sorted[n / 2]);
}

Sample sample_of(std::vector<double> values, std::uint64_t seed) {
  Sample sample{std::move(values), {}};
  std::sort(sample.values.begin(), sample.values.end());
  const std::size_t n = sample.values.size();
  if (n < repeats_for_interval) return sample;
  std::mt19937_64 random(0x616e646573ull * 1000003u + seed);
  std::vector<std::size_t> drawn(n);
  sample.medians.reserve(resample_count);
  for (std::size_t r = 0; r < resample_count; ++r) {
    // The bias of the remainder is n / 2^64.
    for (std::size_t& index : drawn) index = random() % n;
    // The median of the values drawn is the value at the median of their indices: they are sorted.
    const auto middle = drawn.begin() + static_cast<std::ptrdiff_t>(n / 2);
    std::nth_element(drawn.begin(), middle, drawn.end());
    double median = sample.values[*middle];
    if (n % 2 == 0) median = 0.5 * (median + sample.values[*std::max_element(drawn.begin(), middle)]);
    sample.medians.push_back(median);
  }
  return sample;
}

std::optional<std::pair<std::size_t, std::size_t>> median_interval(std::size_t n) {
  const auto size = static_cast<double>(n);
  double tail = 0;
  std::size_t l = 0; // number of k with 2 P(Bin <= k) <= 0.05
  for (; l < n; ++l) {
    const auto k = static_cast<double>(l);
    tail += std::exp(std::lgamma(size + 1) - std::lgamma(k + 1) - std::lgamma(size - k + 1) - size * std::log(2.0));
    if (2 * tail > 0.05) break;
  }
  if (l == 0) return {};
  return std::pair{l - 1, n - l};
}

Estimate estimate_of(const Sample& sample) {
  Estimate estimate;
  estimate.median = median_of(sample.values);
  if (sample.values.size() < 2) return estimate;
  estimate.low = sample.values.front();
  estimate.high = sample.values.back();
  estimate.kind = Estimate::Kind::range;
  if (const auto interval = median_interval(sample.values.size())) {
    estimate.low = sample.values[interval->first];
    estimate.high = sample.values[interval->second];
    estimate.kind = Estimate::Kind::interval;
  }
  return estimate;
}

Estimate percentile_estimate(double median, std::vector<double> resampled) {
  for (double& value : resampled)
    if (std::isnan(value)) value = std::numeric_limits<double>::infinity();
  std::sort(resampled.begin(), resampled.end());
  const std::size_t cut = resampled.size() / 40; // 2.5 % on either side
  return {median, bounded(resampled[cut]), bounded(resampled[resampled.size() - 1 - cut]), Estimate::Kind::interval};
}

Estimate range_estimate(double median, double corner, double other_corner) {
  if (std::isnan(corner)) corner = std::numeric_limits<double>::infinity();
  if (std::isnan(other_corner)) other_corner = std::numeric_limits<double>::infinity();
  return {median, bounded(std::min(corner, other_corner)), bounded(std::max(corner, other_corner)),
          Estimate::Kind::range};
}

double chance_apart(std::size_t n, std::size_t m) {
  double chance = 2;
  for (std::size_t i = 1; i <= n; ++i) chance *= static_cast<double>(i) / static_cast<double>(m + i);
  return chance;
}

bool may_decide(const Estimate& difference, std::size_t n, std::size_t m) {
  if (difference.kind == Estimate::Kind::point) return false;
  return difference.kind == Estimate::Kind::interval || chance_apart(n, m) <= most_chance;
}

std::size_t more_to_decide(std::size_t n, std::size_t m) {
  std::size_t more = 0;
  while (chance_apart(n + more, m + more) > most_chance) ++more;
  return more;
}

Estimate widened(Estimate estimate, double below, double above) {
  if (below <= 0 && above <= 0) return estimate;
  if (estimate.kind == Estimate::Kind::point)
    return range_estimate(estimate.median, estimate.median - below, estimate.median + above);
  if (estimate.low) *estimate.low = estimate.median - std::hypot(estimate.median - *estimate.low, below);
  if (estimate.high) *estimate.high = estimate.median + std::hypot(*estimate.high - estimate.median, above);
  return estimate;
}

Estimate scaled(Estimate estimate, double factor) {
  estimate.median *= factor;
  if (estimate.low) *estimate.low *= factor;
  if (estimate.high) *estimate.high *= factor;
  return estimate;
}

} // namespace andes::postproc
