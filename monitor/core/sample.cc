// Sums over timed visits; see sample.h.
#include "monitor/core/sample.h"

namespace andes::monitor {
namespace {

/// Makes room in a full bucket by halving all: only the shape of the histogram matters.
void halve(Sample& sample) {
  for (std::uint32_t& count : sample.histogram) count /= 2;
}

} // namespace

void close_group(Sample& sample) {
  const double n = sample.open;
  if (sample.open >= 3) {
    // Unbiased estimates of the second and third central moment (k-statistics, Fisher 1929).
    const double mean = sample.d1 / n;
    const double squares = sample.d2 - mean * sample.d1;
    const double cubes = sample.d3 - mean * (3 * sample.d2 - 2 * mean * sample.d1);
    // Rounding may give a variance slightly below zero.
    const double variance = squares > 0 ? sample.open2 * squares / (n - 1) : 0;
    sample.variance += variance;
    sample.variance_squares += variance * variance;
    sample.third += sample.open3 * cubes * n / ((n - 1) * (n - 2));
    sample.grouped2 += sample.open2;
    sample.grouped3 += sample.open3;
    ++sample.groups;
  }
  sample.d1 = sample.d2 = sample.d3 = sample.open2 = sample.open3 = 0;
  sample.open = 0;
}

void add(Sample& sample, std::uint64_t ticks, std::uint32_t k) {
  const double visits = k;
  const double x = static_cast<double>(ticks);
  // In a block of one visit nothing is chosen at random. Otherwise the weight is k^2: the visits of a
  // group vary at least as much as those within a block (variance with divisor k), so the error is
  // never too small. k (k - 1), right for independent durations, would make it too small for rhythms.
  const double weight2 = k > 1 ? visits * visits : 0;
  const double weight3 = weight2 * visits;
  ++sample.timed;
  sample.visits += visits;
  const double term = visits * x;
  sample.ticks += term;
  sample.largest = term > sample.largest ? term : sample.largest;
  sample.weight2 += weight2;
  sample.weight3 += weight3;
  if (sample.open == 0) {
    sample.origin = ticks;
  } else {
    const double d = static_cast<double>(static_cast<std::int64_t>(ticks - sample.origin));
    sample.d1 += d;
    sample.d2 += d * d;
    sample.d3 += d * d * d;
  }
  sample.open2 += weight2;
  sample.open3 += weight3;
  if (++sample.open == sample_group) close_group(sample);
  if (++sample.histogram[sample_bucket(ticks)] == UINT32_MAX) halve(sample);
}

void add(Sample& into, const Sample& from) {
  Sample other = from;
  close_group(other);
  into.timed += other.timed;
  into.visits += other.visits;
  into.ticks += other.ticks;
  into.largest = other.largest > into.largest ? other.largest : into.largest;
  into.weight2 += other.weight2;
  into.weight3 += other.weight3;
  into.grouped2 += other.grouped2;
  into.grouped3 += other.grouped3;
  into.variance += other.variance;
  into.variance_squares += other.variance_squares;
  into.third += other.third;
  into.groups += other.groups;
  for (std::uint32_t i = 0; i < sample_buckets; ++i) {
    if (into.histogram[i] >= UINT32_MAX - other.histogram[i]) {
      halve(into);
      halve(other);
    }
    into.histogram[i] += other.histogram[i];
  }
}

} // namespace andes::monitor
