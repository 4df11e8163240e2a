// Paired differences: what pairs of measurements say of the shift between their two sides. Each pair was measured under
// the same conditions, so that what disturbs both sides alike cancels.
//
// Invariants:
//  - no distribution is assumed but that differences lie symmetrically around the shift, which they do when both sides
//    of a pair are disturbed alike and their order alternates; one wild pair counts no more than any other;
//  - levels are exact for every number of pairs, and conservative where differences are equal.
#pragma once
#include <cstddef>
#include <optional>
#include <vector>

namespace andes::postproc {

/// The statistic of Wilcoxon's signed-rank test (doi 10.2307/3001968) of n differences: the smallest count of positive
/// Walsh averages (d_i + d_j) / 2, i <= j, that chance alone reaches with a probability of `level` at most when the
/// differences lie symmetrically around zero. Exact. Absent: even all of them are no evidence at this level.
std::optional<std::size_t> signed_rank_bound(std::size_t n, double level);

/// The probability that chance alone gives `count` positive Walsh averages of n differences, or more.
double signed_rank_chance(std::size_t n, std::size_t count);

/// The shift of differences: the median of their Walsh averages, and the values that it exceeds and stays below, each
/// with an error of `level` at most (Hodges and Lehmann, doi 10.1214/aoms/1177704172). An end is absent where there are
/// too few differences for the level.
struct Shift {
  double middle = 0;
  std::optional<double> low, high;
};

/// Of one difference at least.
Shift shift_of(const std::vector<double>& differences, double level);

/// The chance of Walsh averages as much above zero as these, if the shift is zero or below: the one-sided signed-rank
/// test.
double chance_of_increase(const std::vector<double>& differences);

} // namespace andes::postproc
