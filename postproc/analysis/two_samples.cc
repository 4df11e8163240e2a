#include "postproc/analysis/two_samples.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>

#include "postproc/analysis/ranks.h"

namespace andes::postproc {
namespace {

struct Moments {
  double n = 0, mean = 0, variance = 0;
};

Moments moments_of(const std::vector<double>& values) {
  Moments m;
  m.n = static_cast<double>(values.size());
  m.mean = std::accumulate(values.begin(), values.end(), 0.0) / m.n;
  for (const double value : values) m.variance += (value - m.mean) * (value - m.mean) / (m.n - 1);
  return m;
}

/// Chance of a mean difference above that of the samples, which are taken to differ by `shift`.
double chance_above(const Moments& before, const Moments& after, double shift) {
  const double a = before.variance / before.n, b = after.variance / after.n;
  const double difference = after.mean - before.mean - shift;
  if (a + b <= 0) return difference > 0 ? 0 : difference < 0 ? 1 : 0.5;
  const double degrees = (a + b) * (a + b) / (a * a / (before.n - 1) + b * b / (after.n - 1));
  return cdf(complement(boost::math::students_t(degrees), difference / std::sqrt(a + b)));
}

bool tell_nothing(const std::vector<double>& before, const std::vector<double>& after) {
  return before.size() < 2 || after.size() < 2;
}

/// By the normal distribution that the sum of many ranks has.
double many_ranks_chance(const std::vector<std::size_t>& ranks, std::size_t chosen, double distance) {
  const auto all = static_cast<double>(ranks.size()), part = static_cast<double>(chosen);
  double squares = 0;
  for (const std::size_t rank : ranks) squares += std::pow(static_cast<double>(rank) - (all + 1), 2);
  const double variance = part * (all - part) / (all * (all - 1)) * squares;
  if (variance <= 0) return 1;
  return 2 * cdf(complement(boost::math::normal(), distance / std::sqrt(variance)));
}

} // namespace

double welch_chance(const std::vector<double>& before, const std::vector<double>& after) {
  if (tell_nothing(before, after)) return 1;
  const double above = chance_above(moments_of(before), moments_of(after), 0);
  return 2 * std::min(above, 1 - above);
}

double rank_sum_chance(const std::vector<double>& before, const std::vector<double>& after) {
  constexpr std::size_t most_exact = 60;
  if (tell_nothing(before, after)) return 1;
  std::vector<double> all = before;
  all.insert(all.end(), after.begin(), after.end());
  const std::vector<std::size_t> ranks = double_ranks(all);
  const std::size_t chosen = before.size();
  const std::size_t sum =
      std::accumulate(ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(chosen), std::size_t{0});
  const double middle = static_cast<double>(chosen * (all.size() + 1));
  const double distance = std::fabs(static_cast<double>(sum) - middle);
  if (all.size() > most_exact) return many_ranks_chance(ranks, chosen, distance);
  const std::size_t most = std::accumulate(ranks.begin(), ranks.end(), std::size_t{0});
  std::vector<std::vector<double>> ways(chosen + 1, std::vector<double>(most + 1)); // by number of ranks and their sum
  ways[0][0] = 1;
  for (const std::size_t rank : ranks)
    for (std::size_t k = chosen; k > 0; --k)
      for (std::size_t s = most; s >= rank; --s) ways[k][s] += ways[k - 1][s - rank];
  double far = 0, total = 0;
  for (std::size_t s = 0; s <= most; ++s) {
    total += ways[chosen][s];
    if (std::fabs(static_cast<double>(s) - middle) >= distance) far += ways[chosen][s];
  }
  return far / total;
}

double unequal_chance(const std::vector<double>& before, const std::vector<double>& after, double margin) {
  if (tell_nothing(before, after)) return 1;
  const Moments b = moments_of(before), a = moments_of(after);
  return std::max(1 - chance_above(b, a, margin), chance_above(b, a, -margin));
}

std::optional<double> more_values(const std::vector<double>& before, const std::vector<double>& after, double margin,
                                  double level) {
  constexpr double power = 0.8, equal_level = 0.05, least_values = 4;
  if (tell_nothing(before, after)) return {};
  const Moments b = moments_of(before), a = moments_of(after);
  const double variance = (b.variance + a.variance) / 2, difference = std::fabs(a.mean - b.mean);
  const auto values_for = [&](double chance, double distance) {
    const double z = normal_quantile(1 - chance) + normal_quantile(power);
    return distance > 0 ? 2 * variance * z * z / (distance * distance) : INFINITY;
  };
  const double needed =
      std::max(least_values, std::min(values_for(level / 2, difference), values_for(equal_level, margin - difference)));
  return std::max(1.0, std::ceil(needed) - std::min(b.n, a.n));
}

} // namespace andes::postproc
