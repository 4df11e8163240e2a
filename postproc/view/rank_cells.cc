#include "postproc/view/rank_cells.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace andes::postproc {
namespace {

constexpr double step = 1.05; // of neighbouring levels: a value is within 2.5 % of its level
constexpr int highest = 255;

char level_of(double value, double max) {
  if (value <= 0) return 0;
  const double level = highest + std::round(std::log(value / max) / std::log(step));
  return static_cast<char>(static_cast<unsigned char>(std::clamp(level, 1.0, double{highest})));
}

void add(std::vector<double>& to, const std::vector<double>& row) {
  if (row.empty()) return;
  if (to.empty()) to.resize(row.size());
  std::transform(row.begin(), row.end(), to.begin(), to.begin(), std::plus<>());
}

/// The number of call paths whose values are added to those of a caller, so that at most `most_rows` are left.
std::size_t fold(const Profile& profile, LocationValues& values, std::size_t most_rows) {
  std::vector<std::size_t> order;
  std::vector<double> sums(profile.callpaths.size());
  for (std::size_t path = 0; path < sums.size(); ++path) {
    const std::vector<double>& row = values.own_ns[path];
    sums[path] = std::accumulate(row.begin(), row.end(), 0.0);
    if (!row.empty() && profile.callpaths[path].parent >= 0) order.push_back(path);
  }
  if (order.size() <= most_rows) return 0;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return sums[a] > sums[b]; });
  std::vector<bool> goes(sums.size());
  for (std::size_t i = most_rows; i < order.size(); ++i) goes[order[i]] = true;
  for (std::size_t path = sums.size(); path-- > 0;) { // callees before callers: what was folded is folded on
    if (!goes[path]) continue;
    const auto parent = static_cast<std::size_t>(profile.callpaths[path].parent);
    for (LocationValues::Rows* rows : {&values.own_ns, &values.idle_ns}) {
      add((*rows)[parent], (*rows)[path]);
      (*rows)[path].clear();
    }
  }
  return order.size() - most_rows;
}

Json plane(const char* metric, const LocationValues::Rows& rows, std::string& levels) {
  Json callpaths = Json::array(), max_s = Json::array();
  for (std::size_t path = 0; path < rows.size(); ++path) {
    const std::vector<double>& row = rows[path];
    const double max = row.empty() ? 0 : *std::max_element(row.begin(), row.end());
    if (max <= 0) continue;
    callpaths.push_back(path);
    max_s.push_back(max * 1e-9);
    for (const double value : row) levels += level_of(value, max);
  }
  return {{"metric", metric}, {"callpaths", std::move(callpaths)}, {"max_s", std::move(max_s)}};
}

} // namespace

RankCells rank_cells(const Profile& profile, LocationValues values, std::size_t most_cells) {
  RankCells cells;
  Json locations = Json::array();
  for (const std::size_t at : values.locations)
    locations.push_back({{"rank", profile.locations[at].rank}, {"thread", profile.locations[at].thread}});
  const std::size_t folded = fold(profile, values, most_cells / std::max<std::size_t>(1, values.locations.size()));
  Json planes = Json::array();
  planes.push_back(plane("own_s", values.own_ns, cells.levels));
  planes.push_back(plane("idle_s", values.idle_ns, cells.levels));
  cells.index = {
      {"locations", std::move(locations)}, {"step", step}, {"folded", folded}, {"planes", std::move(planes)}};
  return cells;
}

} // namespace andes::postproc
