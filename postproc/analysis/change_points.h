// Change points: where in a row of values (times of a program, commit by commit) the level changes.
//
// Values count by their ranks alone, as normal scores (van der Waerden, *Order tests for the two-sample problem*,
// 1952), so an outlier weighs no more than the largest of ordinary values, and no distribution is assumed. The change
// of a stretch is where the cumulative sum of its scores is farthest from a line (Pettitt, doi 10.2307/2346729), looked
// for in the whole stretch and in seeded intervals of it (Kovacs, Buehlmann, Li, Munk, doi 10.1093/biomet/asac052), as
// changes that go up and down again would hide each other. It counts if at most 1 in 100 shuffles of the same scores
// has as large a sum anywhere (an exact permutation test); then both sides are looked at in the same way.
//
// Rejected: a threshold in per cent between neighbours, which noise decides. E-divisive means, which follow outliers.
// PELT: its penalty is a threshold again, right for one kind of noise. The t-test of a moving window, which tells the
// same change many times.
//
// Limits: a level that drifts slowly is told as steps, and noise that lasts for several commits is a change.
//
// Invariants: the seed is fixed, so the same values give the same answer; the values' order and ranks alone decide
// where changes are.
#pragma once
#include <cstddef>
#include <vector>

namespace andes::postproc {

/// False alarms of a row without a change, of one; changes below `least_change` of the level are not told.
inline constexpr double change_level = 0.01, least_change = 0.005;
/// Values on either side of a change.
inline constexpr std::size_t least_stretch = 3;

struct ChangePoint {
  std::size_t at = 0; // the first value of the new level
  std::size_t low = 0, high = 0; // 95 % interval of `at`, by resampling both sides
};

/// In the order of the row.
std::vector<ChangePoint> change_points_of(const std::vector<double>& row);

} // namespace andes::postproc
