#include "postproc/analysis/ranks.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <numeric>

namespace andes::postproc {

std::vector<std::size_t> double_ranks(const std::vector<double>& all) {
  std::vector<std::size_t> order(all.size()), ranks(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return all[a] < all[b]; });
  for (std::size_t from = 0; from < order.size();) {
    std::size_t to = from;
    while (to < order.size() && all[order[to]] == all[order[from]]) ++to;
    for (std::size_t i = from; i < to; ++i) ranks[order[i]] = from + to + 1;
    from = to;
  }
  return ranks;
}

double normal_quantile(double probability) { return boost::math::quantile(boost::math::normal(), probability); }

} // namespace andes::postproc
