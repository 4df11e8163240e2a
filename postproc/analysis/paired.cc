// With n differences the Walsh averages above zero are as many as the sum of the ranks of the positive ones, and under
// symmetry each rank is in that sum with probability 1/2, independently: the distribution is built rank by rank.
#include "postproc/analysis/paired.h"

#include <algorithm>

#include "postproc/analysis/medians.h"

namespace andes::postproc {
namespace {

/// By count of positive Walsh averages of n differences: its probability.
std::vector<double> signed_rank_distribution(std::size_t n) {
  std::vector<double> chances(n * (n + 1) / 2 + 1);
  chances[0] = 1;
  std::size_t most = 0;
  for (std::size_t rank = 1; rank <= n; ++rank) {
    most += rank;
    for (std::size_t sum = most + 1; sum-- > 0;)
      chances[sum] = 0.5 * (chances[sum] + (sum >= rank ? chances[sum - rank] : 0));
  }
  return chances;
}

/// In ascending order.
std::vector<double> walsh_averages(const std::vector<double>& differences) {
  std::vector<double> averages;
  averages.reserve(differences.size() * (differences.size() + 1) / 2);
  for (std::size_t i = 0; i < differences.size(); ++i)
    for (std::size_t j = i; j < differences.size(); ++j) averages.push_back(0.5 * (differences[i] + differences[j]));
  std::sort(averages.begin(), averages.end());
  return averages;
}

} // namespace

std::optional<std::size_t> signed_rank_bound(std::size_t n, double level) {
  const std::vector<double> chances = signed_rank_distribution(n);
  double tail = 0;
  std::size_t bound = chances.size(); // the smallest count so far whose tail is small enough
  while (bound > 0 && tail + chances[bound - 1] <= level) tail += chances[--bound];
  return bound < chances.size() ? std::optional(bound) : std::nullopt;
}

double signed_rank_chance(std::size_t n, std::size_t count) {
  const std::vector<double> chances = signed_rank_distribution(n);
  double tail = 0;
  for (std::size_t c = chances.size(); c-- > count;) tail += chances[c]; // the small ones first
  return tail;
}

Shift shift_of(const std::vector<double>& differences, double level) {
  const std::vector<double> averages = walsh_averages(differences);
  Shift shift;
  shift.middle = median_of(averages);
  if (const auto bound = signed_rank_bound(differences.size(), level)) {
    // `bound` averages lie at or above the lower end, so that everything below it is rejected.
    shift.low = averages[averages.size() - *bound];
    shift.high = averages[*bound - 1];
  }
  return shift;
}

double chance_of_increase(const std::vector<double>& differences) {
  const std::vector<double> averages = walsh_averages(differences);
  const auto above = std::upper_bound(averages.begin(), averages.end(), 0.0);
  return signed_rank_chance(differences.size(), static_cast<std::size_t>(averages.end() - above));
}

} // namespace andes::postproc
