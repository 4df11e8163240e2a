// Two samples: how likely it is that repeats of one measurement differ as two sets of runs do, or that they are equal
// within a margin, and how many more would tell. For many comparisons at once (false_discoveries.h): unlike intervals,
// chances can be corrected for their number.
//
// Invariants: fewer than two values in a sample tell nothing, chance 1. All chances are two-sided.
#pragma once
#include <optional>
#include <vector>

namespace andes::postproc {

/// Of a difference of means as large by chance: Welch's test, for unequal spreads (doi 10.1093/biomet/34.1-2.28).
double welch_chance(const std::vector<double>& before, const std::vector<double>& after);

/// The same of ranks, which single outliers do not move: exact up to 60 values (Wilcoxon, doi 10.2307/3001968), ties
/// included.
double rank_sum_chance(const std::vector<double>& before, const std::vector<double>& after);

/// Whether ranks confirm a difference that Welch's test finds, of which the spread of few values may be too small.
inline bool ranks_agree(double rank_sum_chance) { return rank_sum_chance <= 0.05; }

/// Of means as near to each other if they differ by `margin` or more: two one-sided tests of Welch (Schuirmann, doi
/// 10.1007/BF01068419). Small: equal within the margin.
double unequal_chance(const std::vector<double>& before, const std::vector<double>& after, double margin);

/// How many more values of each would in four of five cases show the difference at `level`, or that it is below
/// `margin` at 5 %, if the spread and the difference stay; at least 1. Absent: single values, whose spread is not
/// known.
std::optional<double> more_values(const std::vector<double>& before, const std::vector<double>& after, double margin,
                                  double level);

} // namespace andes::postproc
