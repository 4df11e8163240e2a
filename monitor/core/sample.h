// Sampled visits of a call path: which of them are timed, and the sums kept of their durations.
//
// Visits form blocks of k consecutive ones; in each block the visit at a random place, each as
// likely as any other, is timed. So every visit has the probability 1/k whatever the rhythm of the
// program, and the places are independent of each other: the error of the estimated total comes
// from the differences *within* blocks alone. They are estimated from the differences within groups
// of eight successive timed visits, so a trend or a change of phase hardly adds to the error.
//
// Invariants:
//  - all-zero is empty and valid, for Sample and for Blocks;
//  - bounded memory, constant time, no allocation, no libm; nothing overflows below 2^40 ticks and
//    2^40 samples;
//  - k of a block is decided before it begins, from rates only, never from durations in it.
// docs/metrics.md, "Sampled times"; monitor/finish/estimate.h makes the estimate.
// Rejected: every k-th visit, which errs without bound in a rhythm of k; random gaps around k, since then the places
// depend on each other.
#pragma once
#include <bit>
#include <cstdint>

namespace andes::monitor {

/// Uniform in [0, k); k of 0 counts as 1. Splitmix64 (Steele, Lea, Flood, OOPSLA 2014, doi
/// 10.1145/2714064.2660195); any `state` is a good seed, also 0 and neighbouring numbers. The step
/// is not the usual one, 0x9e3779b97f4a7c15: seeds spaced by that would give one sequence, shifted.
inline std::uint32_t random_below(std::uint64_t& state, std::uint32_t k) {
  std::uint64_t z = state += 0xda942042e4dd58b5;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  z ^= z >> 31;
  return static_cast<std::uint32_t>(((z >> 32) * k) >> 32);
}

/// Where a call path stands in its blocks. Different call paths need different seeds.
struct Blocks {
  std::uint64_t random; // seed, then state of random_below
  std::uint32_t k;      // length of the block that holds the next timed visit
  std::uint32_t rest;   // visits of that block after its timed visit
};

/// Untimed visits from the timed one just made (or from a fresh start, k == rest == 0) to the next
/// timed one: the rest of the present block plus the random place in the next, of length
/// `k_next`. The timed visit that follows is added with `blocks.k`. May be as large as the sum of
/// two block lengths, less two.
inline std::uint32_t next_gap(Blocks& blocks, std::uint32_t k_next) {
  if (k_next == 0) k_next = 1;
  const std::uint32_t place = random_below(blocks.random, k_next);
  const std::uint32_t gap = blocks.rest + place;
  blocks.k = k_next;
  blocks.rest = k_next - 1 - place;
  return gap;
}

/// Number of timed visits in a group.
inline constexpr std::uint32_t sample_group = 8;

/// Two buckets per power of two: 0, 1, 2, 3, 4..5, 6..7, 8..11, 12..15, ...; the last is open.
inline constexpr std::uint32_t sample_buckets = 82;
inline std::uint32_t sample_bucket(std::uint64_t ticks) {
  const auto width = static_cast<std::uint32_t>(std::bit_width(ticks));
  if (width < 2) return width;
  const std::uint32_t bucket = 2 * width - 2 + (static_cast<std::uint32_t>(ticks >> (width - 2)) & 1);
  return bucket < sample_buckets ? bucket : sample_buckets - 1;
}
/// Smallest duration of a bucket, ticks.
inline std::uint64_t sample_bucket_begin(std::uint32_t bucket) {
  if (bucket < 2) return bucket;
  return (std::uint64_t{2} + bucket % 2) << (bucket / 2 - 1);
}

/// The durations of timed visits. k is the length of a visit's block, x its duration in ticks.
struct Sample {
  std::uint64_t timed; // timed visits
  double visits;       // sum of k: the visits that they represent
  double ticks;        // sum of k x: the ticks that they represent
  double largest;      // largest k x, the largest contribution of one timed visit
  double weight2;      // sum of k^2, k > 1: the weight of a variance of x in the variance of the total
  double weight3;      // sum of k^3, k > 1: the same for the third central moment
  // Complete groups: unbiased estimates within the group, times its weights.
  double grouped2, grouped3; // sums of the groups' weight2, weight3
  double variance;           // sum of weight2 x variance, ticks^2
  double variance_squares;   // sum of the squares of the groups' terms of `variance`
  double third;              // sum of weight3 x third central moment, ticks^3
  std::uint64_t groups;
  // The group being filled: sums of d, d^2, d^3, d = x - origin.
  std::uint64_t origin;
  double d1, d2, d3;
  double open2, open3;                     // its weights
  std::uint32_t open;                      // its visits, 0..sample_group - 1
  std::uint32_t histogram[sample_buckets]; // visits by duration; all are halved when one is full
};
static_assert(sizeof(Sample) <= 512);

/// Adds one timed visit of `ticks`, from a block of length `k`.
void add(Sample& sample, std::uint64_t ticks, std::uint32_t k);

/// Adds another sample, for example when threads of a rank are joined.
void add(Sample& into, const Sample& from);

/// Completes the group being filled, if it has the three visits that a third moment needs; a
/// shorter one is left out of the groups (its visits stay in all other sums).
void close_group(Sample& sample);

} // namespace andes::monitor
