#include "postproc/analysis/points.h"

#include <algorithm>

#include "postproc/analysis/grid.h"
#include "postproc/model/read_run.h"

namespace andes::postproc {

const Point* find_point(const Build& build, int ranks, int threads) {
  const auto found = std::ranges::find_if(
      build.points, [&](const Point& point) { return point.ranks == ranks && point.threads == threads; });
  return found == build.points.end() ? nullptr : &*found;
}

const SeriesRun& median_run(const Point& point) {
  std::vector<const SeriesRun*> runs;
  for (const SeriesRun& run : point.runs) runs.push_back(&run);
  std::stable_sort(runs.begin(), runs.end(),
                   [](const SeriesRun* a, const SeriesRun* b) { return a->summary.time_s < b->summary.time_s; });
  return *runs[(runs.size() - 1) / 2];
}

std::vector<Profile> read_trees(const Point& point) {
  std::vector<Profile> repeats;
  for (const SeriesRun& run : point.runs) repeats.push_back(read_run(run.profile.file, Detail::tree));
  return repeats;
}

const Profile& median_tree(const Point& point, const std::vector<Profile>& trees) {
  return trees[static_cast<std::size_t>(&median_run(point) - point.runs.data())];
}

std::optional<Profile> read_base(const Build& build, const Point& point, bool oversubscribed_ok) {
  if (build.axis != Axis::ranks || build.weak || is_grid(build)) return {};
  const auto smallest =
      std::ranges::find_if(build.points, [&](const Point& one) { return oversubscribed_ok || !one.oversubscribed; });
  if (smallest == build.points.end() || smallest->ranks >= point.ranks) return {};
  return read_run(median_run(*smallest).profile.file, Detail::tree);
}

std::optional<CommonSize> read_common_size(const Build& before, const Build& after, bool oversubscribed_ok) {
  const bool grid = is_grid(before) || is_grid(after);
  const Build by_size = grid ? by_cores(after) : after;
  const Point *old = nullptr, *newer = nullptr;
  bool usable = false; // the one that was found
  for (const Point& point : by_size.points) {
    const Point* same = find_point(before, point.ranks, point.threads);
    if (!same) continue;
    const bool is_usable = oversubscribed_ok || (!point.oversubscribed && !same->oversubscribed);
    if (usable && !is_usable) continue;
    old = same;
    newer = &point;
    usable = is_usable;
  }
  if (!newer) return {};
  return CommonSize{newer->ranks, newer->threads, read_trees(*old), read_trees(*newer)};
}

} // namespace andes::postproc
