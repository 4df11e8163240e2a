// The best sum up to each pair and the best sum behind it give the best sum of all alignments through that pair.
#include "postproc/analysis/aligned.h"

#include <algorithm>

namespace andes::postproc {
namespace {

struct Table {
  std::size_t columns;
  std::vector<double> values;
  Table(std::size_t n, std::size_t m) : columns(m), values(n * m) {}
  double& at(std::size_t i, std::size_t j) { return values[i * columns + j]; }
};

} // namespace

std::vector<std::pair<std::size_t, std::size_t>> aligned(
    std::size_t n, std::size_t m, const std::function<double(std::size_t, std::size_t)>& likeness) {
  constexpr double same = 1e-9;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  if (n == 0 || m == 0) return pairs;
  Table score(n, m), until(n + 1, m + 1), behind(n + 1, m + 1); // sums of the first i and j; of those from i and j on
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < m; ++j) {
      score.at(i, j) = likeness(i, j);
      until.at(i + 1, j + 1) = std::max({until.at(i, j + 1), until.at(i + 1, j), until.at(i, j) + score.at(i, j)});
    }
  for (std::size_t i = n; i-- > 0;)
    for (std::size_t j = m; j-- > 0;)
      behind.at(i, j) = std::max({behind.at(i + 1, j), behind.at(i, j + 1), behind.at(i + 1, j + 1) + score.at(i, j)});
  const double best = until.at(n, m);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < m; ++j) {
      const auto through = [&](std::size_t k, std::size_t l) {
        return until.at(k, l) + score.at(k, l) + behind.at(k + 1, l + 1);
      };
      if (score.at(i, j) <= 0 || through(i, j) < best - same) continue;
      bool alone = true; // no alignment as good has another partner for one of them
      for (std::size_t l = 0; l < m && alone; ++l) alone = l == j || score.at(i, l) <= 0 || through(i, l) < best - same;
      for (std::size_t k = 0; k < n && alone; ++k) alone = k == i || score.at(k, j) <= 0 || through(k, j) < best - same;
      if (alone) pairs.emplace_back(i, j);
    }
  }
  return pairs;
}

} // namespace andes::postproc
