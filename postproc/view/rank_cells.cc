#include "postproc/view/rank_cells.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace andes::postproc {
namespace {

constexpr double step = 1.07; // of neighbouring levels: a value is within 3.5 % of its level
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

/// The number of call paths whose values are added to those of a caller, so that at most `most_rows` beside the roots
/// are left: those with most time, callees included. So all callers of one that is left are left, too, and the values
/// of each with its callees stay what they are.
std::size_t fold(const Profile& profile, LocationValues& values, std::size_t most_rows) {
  const std::size_t count = profile.callpaths.size();
  const auto parent_of = [&](std::size_t path) { return profile.callpaths[path].parent; };
  std::vector<double> inclusive(count);
  std::vector<std::size_t> order;
  for (std::size_t path = count; path-- > 0;) {
    const std::vector<double>& row = values.own_ns[path];
    inclusive[path] += std::accumulate(row.begin(), row.end(), 0.0);
    if (parent_of(path) >= 0) inclusive[static_cast<std::size_t>(parent_of(path))] += inclusive[path];
  }
  for (std::size_t path = 0; path < count; ++path)
    if (parent_of(path) >= 0 && inclusive[path] > 0) order.push_back(path);
  if (order.size() <= most_rows) return 0;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return inclusive[a] > inclusive[b]; });
  std::vector<bool> stays(count);
  for (std::size_t i = 0; i < most_rows; ++i) stays[order[i]] = true;
  std::size_t folded = 0;
  for (std::size_t path = count; path-- > 0;) { // callees before callers: what was folded is folded on
    if (stays[path] || parent_of(path) < 0) continue;
    folded += inclusive[path] > 0;
    for (LocationValues::Rows* rows : {&values.own_ns, &values.idle_ns}) {
      add((*rows)[static_cast<std::size_t>(parent_of(path))], (*rows)[path]);
      (*rows)[path].clear();
    }
  }
  return folded;
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
