// Statistic: one metric of one call path over the ranks of a group, in a form that can be merged.
// Ranks of the group that never entered the call path count as zero.
//
// Sums of squares are kept about the mean, which avoids cancellation if ranks differ little, and are
// merged by the formula of Chan, Golub and LeVeque, Updating formulae and a pairwise algorithm for
// computing sample variances, Stanford STAN-CS-79-773, 1979.
#pragma once
#include <cmath>
#include <cstdint>

namespace andes::monitor {

struct Statistic {
  double sum = 0;
  double squares = 0; // sum of squared differences from the mean
  double min = 0, max = 0;
  std::int32_t min_rank = 0, max_rank = 0; // the lowest rank with that value

  bool operator==(const Statistic&) const = default;
};

/// The statistic of a group of one rank.
inline Statistic statistic_of_rank(std::int32_t rank, double value) { return {value, 0, value, value, rank, rank}; }

/// Adds another group to a statistic. `ranks` and `other_ranks`: the sizes of the groups.
inline void merge(Statistic& into, double ranks, const Statistic& other, double other_ranks) {
  if (other_ranks == 0) return;
  if (ranks == 0) {
    into = other;
    return;
  }
  const double apart = into.sum / ranks - other.sum / other_ranks;
  into.squares += other.squares + apart * apart * (ranks * other_ranks / (ranks + other_ranks));
  into.sum += other.sum;
  if (other.min < into.min || (other.min == into.min && other.min_rank < into.min_rank))
    into.min = other.min, into.min_rank = other.min_rank;
  if (other.max > into.max || (other.max == into.max && other.max_rank < into.max_rank))
    into.max = other.max, into.max_rank = other.max_rank;
}

/// Adds to each rank's value that of another call path in the same group. The pairs of values by
/// rank are not known any more: the sum is exact, min and max are lower bounds for non-negative
/// values, and the squares assume independence.
inline void add_part(Statistic& whole, const Statistic& part) {
  whole.sum += part.sum;
  whole.squares += part.squares;
  whole.min += part.min;
  if (part.max > whole.max) whole.max = part.max, whole.max_rank = part.max_rank;
}

/// Subtracts from each rank's value a part of it, in the same way: the sum is exact, min and max are
/// lower bounds.
inline void take_part(Statistic& whole, const Statistic& part) {
  whole.sum -= part.sum;
  whole.squares += part.squares;
  whole.min = std::fmax(0, whole.min - part.max);
  whole.max = std::fmax(0, whole.max - part.max);
}

/// Standard deviation of the population of ranks.
inline double deviation(const Statistic& statistic, double ranks) {
  return ranks > 0 ? std::sqrt(statistic.squares / ranks) : 0;
}

} // namespace andes::monitor
