#include "postproc/analysis/change_points.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>

#include "postproc/analysis/medians.h"
#include "postproc/analysis/ranks.h"

namespace andes::postproc {
namespace {

constexpr std::size_t shuffle_count = 999, resampled_rows = 400;
constexpr std::uint64_t seed = 0x616e646573ull;

using Row = std::vector<double>;

/// Normal scores; equal values share the mean of their ranks.
Row scores_of(const Row& row) {
  const double ranks = 2 * static_cast<double>(row.size() + 1);
  Row scores;
  for (const std::size_t rank : double_ranks(row)) scores.push_back(normal_quantile(static_cast<double>(rank) / ranks));
  return scores;
}

struct SplitPlace {
  double height = 0;
  std::size_t at = 0; // 0: there is none
};

/// Sums up to each place, with 0 in front.
Row sums_of(const Row& scores) {
  Row sums(scores.size() + 1);
  std::partial_sum(scores.begin(), scores.end(), sums.begin() + 1);
  return sums;
}

/// The most remarkable place in [begin, end): a standardised difference of the means before and behind it.
SplitPlace most_remarkable(const Row& sums, std::size_t begin, std::size_t end) {
  SplitPlace best;
  const auto n = static_cast<double>(end - begin);
  const double slope = (sums[end] - sums[begin]) / n;
  for (std::size_t at = begin + least_stretch; at + least_stretch <= end; ++at) {
    const auto k = static_cast<double>(at - begin);
    const double off = sums[at] - sums[begin] - k * slope;
    const double height = off * off * n / (k * (n - k));
    if (height > best.height) best = {height, at};
  }
  return best;
}

/// Of all seeded intervals: the whole, halves, quarters ..., each overlapping the next by a half.
SplitPlace most_remarkable(const Row& sums) {
  const std::size_t n = sums.size() - 1;
  SplitPlace best;
  for (std::size_t length = n; length >= 2 * least_stretch; length /= 2) {
    const std::size_t step = std::max<std::size_t>(1, length / 2);
    for (std::size_t begin = 0; begin + length <= n; begin += length == n ? n : step) {
      const SplitPlace place = most_remarkable(sums, begin, begin + length);
      if (place.height > best.height) best = place;
    }
    if (const SplitPlace last = most_remarkable(sums, n - length, n); last.height > best.height) best = last;
  }
  return best;
}

/// Whether shuffled scores have such a height in few enough cases.
bool is_significant(Row scores, double height) {
  constexpr auto most =
      static_cast<std::size_t>(change_level * (shuffle_count + 1)) - 1; // the row itself counts as one
  std::mt19937_64 random(seed);
  std::size_t higher = 0;
  for (std::size_t shuffle = 0; shuffle < shuffle_count && higher <= most; ++shuffle) {
    for (std::size_t left = scores.size(); left > 1; --left) std::swap(scores[left - 1], scores[random() % left]);
    higher += most_remarkable(sums_of(scores)).height >= height;
  }
  return higher <= most;
}

Row part(const Row& row, std::size_t begin, std::size_t end) {
  return {row.begin() + static_cast<std::ptrdiff_t>(begin), row.begin() + static_cast<std::ptrdiff_t>(end)};
}

/// Adds the changes of [begin, end) to `places`.
void split(const Row& row, std::size_t begin, std::size_t end, std::vector<std::size_t>& places) {
  if (end - begin < 2 * least_stretch) return;
  const Row scores = scores_of(part(row, begin, end));
  const SplitPlace place = most_remarkable(sums_of(scores));
  if (place.at == 0 || !is_significant(scores, place.height)) return;
  places.push_back(begin + place.at);
  split(row, begin, begin + place.at, places);
  split(row, begin + place.at, end, places);
}

/// The place of the one change in a row. Ranks tell that there is one; where it is, values tell better: they are cut at
/// two robust standard deviations beyond the levels, so that outliers pull at no more than that.
std::size_t place_in(const Row& row) {
  constexpr double cut_deviations = 2, deviations_of_median = 1.4826;
  const std::size_t first = most_remarkable(sums_of(scores_of(row)), 0, row.size()).at;
  if (first == 0) return 0;
  const double before = median(part(row, 0, first)), after = median(part(row, first, row.size()));
  Row off(row.size());
  for (std::size_t i = 0; i < row.size(); ++i) off[i] = std::fabs(row[i] - (i < first ? before : after));
  const double reach = cut_deviations * deviations_of_median * median(std::move(off));
  Row cut = row;
  for (double& value : cut)
    value = std::clamp(value, std::min(before, after) - reach, std::max(before, after) + reach) - before;
  const std::size_t place = most_remarkable(sums_of(cut), 0, cut.size()).at;
  return place == 0 ? first : place;
}

bool is_small(const Row& before, const Row& after) {
  const double level = median(before);
  return std::fabs(median(after) - level) < least_change * std::fabs(level);
}

/// Moves each change to its best place between its neighbours, and drops what is too small there.
std::vector<std::size_t> settled(const Row& row, std::vector<std::size_t> places) {
  std::sort(places.begin(), places.end());
  for (std::size_t i = 0; i < places.size();) {
    const std::size_t begin = i == 0 ? 0 : places[i - 1], end = i + 1 < places.size() ? places[i + 1] : row.size();
    places[i] = begin + place_in(part(row, begin, end));
    if (is_small(part(row, begin, places[i]), part(row, places[i], end))) {
      places.erase(places.begin() + static_cast<std::ptrdiff_t>(i));
      i = 0; // its neighbours have more room now
    } else {
      ++i;
    }
  }
  return places;
}

/// Where the change is found in rows that are drawn from both sides of it (Huskova and Kirch, doi
/// 10.1111/j.1467-9892.2008.00590.x).
ChangePoint with_interval(const Row& row, std::size_t begin, std::size_t at, std::size_t end) {
  std::mt19937_64 random(seed);
  std::vector<std::size_t> found;
  Row drawn(end - begin);
  for (std::size_t r = 0; r < resampled_rows; ++r) {
    for (std::size_t i = begin; i < end; ++i)
      drawn[i - begin] = i < at ? row[begin + random() % (at - begin)] : row[at + random() % (end - at)];
    if (const std::size_t place = place_in(drawn)) found.push_back(begin + place);
  }
  if (found.empty()) return {at, at, at};
  std::sort(found.begin(), found.end());
  // The more distant end on both sides: rows are drawn with the change as large as it was found, which is where noise
  // made it largest, so their places scatter too little.
  const std::size_t cut = found.size() / 40; // 2.5 % on either side
  const std::size_t low = std::min(at, found[cut]), high = std::max(at, found[found.size() - 1 - cut]);
  const std::size_t reach = std::max(at - low, high - at);
  return {at, std::max(begin + 1, at - std::min(at, reach)), std::min(end - 1, at + reach)};
}

} // namespace

std::vector<ChangePoint> change_points_of(const std::vector<double>& row) {
  std::vector<std::size_t> places;
  split(row, 0, row.size(), places);
  places = settled(row, std::move(places));
  std::vector<ChangePoint> changes;
  for (std::size_t i = 0; i < places.size(); ++i)
    changes.push_back(
        with_interval(row, i == 0 ? 0 : places[i - 1], places[i], i + 1 < places.size() ? places[i + 1] : row.size()));
  return changes;
}

} // namespace andes::postproc
