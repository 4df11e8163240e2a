// What several analyses look up in the points of a build.
#pragma once
#include <algorithm>
#include <vector>

#include "postproc/analysis/serial_routines.h"
#include "postproc/analysis/series.h"

namespace andes::postproc {

/// The point with these ranks and threads; null: there is none.
inline const Point* find_point(const Build& build, int ranks, int threads) {
  const auto found = std::ranges::find_if(
      build.points, [&](const Point& point) { return point.ranks == ranks && point.threads == threads; });
  return found == build.points.end() ? nullptr : &*found;
}

/// The call tree of the run whose time is the median. `trees`: those of all runs of the point, in their order.
inline const Profile& median_tree(const Point& point, const std::vector<Profile>& trees) {
  return trees[static_cast<std::size_t>(&median_run(point) - point.runs.data())];
}

} // namespace andes::postproc
