// Median of paired ratios: each ratio compares neighbours in time, so drift of the machine cancels.
#include "postproc/launch/overhead.h"

#include <algorithm>
#include <cmath>

namespace andes {
namespace {

/// Largest l with 2 P(Bin(n, 1/2) <= l - 1) <= 0.05; 0 below six values.
std::size_t rank_of_bound(std::size_t n) {
  double term = std::pow(0.5, static_cast<double>(n)), below = 0;
  std::size_t l = 0;
  for (;; ++l) {
    below += term; // P(Bin <= l)
    if (2 * below > 0.05) return l;
    term *= static_cast<double>(n - l) / static_cast<double>(l + 1);
  }
}

} // namespace

Overhead overhead_of(const std::vector<Pair>& pairs) {
  std::vector<double> percents;
  for (const Pair& pair : pairs)
    percents.push_back(100 * (pair.with_ns / pair.without_ns - 1));
  std::sort(percents.begin(), percents.end());
  const std::size_t n = percents.size();
  Overhead result;
  result.pairs = n;
  result.percent = (percents[(n - 1) / 2] + percents[n / 2]) / 2;
  if (n < 2) return result;
  const std::size_t l = rank_of_bound(n);
  result.interval = l > 0;
  result.low = percents[l > 0 ? l - 1 : 0];
  result.high = percents[l > 0 ? n - l : n - 1];
  return result;
}

} // namespace andes
