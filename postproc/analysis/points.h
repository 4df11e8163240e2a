// What several analyses look up in the points of a build, and the call trees of their runs.
#pragma once
#include <optional>
#include <vector>

#include "postproc/analysis/series.h"

namespace andes::postproc {

/// The point with these ranks and threads; null: there is none.
const Point* find_point(const Build& build, int ranks, int threads);

/// The run of a point whose time is the median.
const SeriesRun& median_run(const Point& point);

/// The runs of a point again, this time with their trees. Throws Refusal like read_run.
std::vector<Profile> read_trees(const Point& point);

/// The call tree of the run whose time is the median. `trees`: those of all runs of the point, in their order.
const Profile& median_tree(const Point& point, const std::vector<Profile>& trees);

/// The call tree of the base of a point: the median run of the smallest usable number of ranks. Absent: there is no
/// smaller one, or the points differ in more than their ranks: in threads, or in the problem.
std::optional<Profile> read_base(const Build& build, const Point& point, bool oversubscribed_ok);

/// A size that two builds have, with the call trees of all of its runs.
struct CommonSize {
  int ranks = 0, threads = 1;
  std::vector<Profile> before, after; // in the order of their points
};

/// The largest usable size that both have, or the largest if none is usable. Absent: they have none in common.
std::optional<CommonSize> read_common_size(const Build& before, const Build& after, bool oversubscribed_ok);

} // namespace andes::postproc
