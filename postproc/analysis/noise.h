// Noise: how quiet the machine was, and which repeats are outliers, with the reason where one was seen.
//
// An outlier is a repeat whose time is off the median of its size by more than `outlier_deviations` robust standard
// deviations (1.4826 x the median of the distances to the median) and by more than `least_outlier_percent`. With six
// repeats and nothing but normal noise one series in 25 has one; with more repeats, fewer. Outliers are named and stay:
// medians and their intervals do not need them removed.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "postproc/analysis/series.h"

namespace andes::postproc {

inline constexpr double outlier_deviations = 6, least_outlier_percent = 2;
inline constexpr std::size_t repeats_for_outliers = 6, repeats_for_spread = 3;
/// Bounds of the words, in per cent. The interval of the median of six repeats is about 2.5 spreads wide: up to
/// `quiet_spread` differences of 3 % can be decided, above `noisy_spread` differences of 10 % cannot.
inline constexpr double quiet_spread = 1, noisy_spread = 5, quiet_steal = 0.1, noisy_steal = 1;

enum class NoiseWord { unknown, quiet, usual, noisy };
const char* name_of(NoiseWord word);

struct Outlier {
  std::string file;
  int ranks = 0, threads = 1;
  double time_s = 0, median_s = 0;
  std::vector<std::string> reasons; // as a phrase each; empty: none was seen
};

struct Noise {
  NoiseWord word = NoiseWord::unknown;
  std::optional<double> spread_percent; // robust standard deviation of T over its median; median over sizes
  std::optional<double> steal_percent; // time kept by the hypervisor, of all usable cores
  std::vector<Outlier> outliers;
};

Noise noise_of(const Build& build);

} // namespace andes::postproc
