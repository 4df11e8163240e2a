// A grid is cut into builds of fewer points with an axis of their own; scaling.cc does the rest.
#include "postproc/analysis/grid.h"

#include <algorithm>
#include <functional>
#include <set>

namespace andes::postproc {
namespace {

/// The build with the points that are wanted, over an axis.
Build part_of(const Build& build, Axis axis, const std::function<bool(const Point&)>& wanted) {
  Build part = build;
  part.axis = axis;
  part.points.clear();
  for (const Point& point : build.points) {
    if (!wanted(point)) continue;
    part.points.push_back(point);
    part.points.back().size = axis == Axis::ranks     ? point.ranks
                              : axis == Axis::threads ? point.threads
                                                      : point.ranks * point.threads;
  }
  const auto place = [](const Point& p) { return std::pair(p.size, median_of(p.times_s.values)); };
  std::stable_sort(part.points.begin(), part.points.end(),
                   [&](const Point& a, const Point& b) { return place(a) < place(b); });
  return part;
}

std::size_t usable_points(const Build& build, bool oversubscribed_ok) {
  return static_cast<std::size_t>(std::count_if(build.points.begin(), build.points.end(), [&](const Point& p) {
    return oversubscribed_ok || !p.oversubscribed;
  }));
}

void add_line(const Build& line, int fixed, bool oversubscribed_ok, std::vector<GridLine>& lines) {
  if (usable_points(line, oversubscribed_ok) >= 2)
    lines.push_back({fixed, scaling_of(line, nullptr, oversubscribed_ok)});
}

Split::Verdict slower_or_undecided(const Estimate& slower_percent, const Sample& fastest, const Sample& other) {
  const bool decides = may_decide(slower_percent, fastest.values.size(), other.values.size());
  return decides && slower_percent.low.value_or(0) > 0 ? Split::Verdict::slower : Split::Verdict::undecided;
}

std::vector<CoreSplits> splits_of(const Build& all, bool oversubscribed_ok) {
  std::vector<CoreSplits> splits;
  const Point* best = nullptr;
  for (const Point& point : all.points) { // by cores, the fastest first
    if (point.oversubscribed && !oversubscribed_ok) continue;
    if (!best || best->size != point.size) {
      best = &point;
      splits.push_back({point.size, {}});
    }
    Split split{point.ranks, point.threads, estimate_of(point.times_s), {}, Split::Verdict::best};
    if (&point != best) {
      split.slower_percent =
          derive(best->times_s, point.times_s, [](double fastest, double time) { return 100 * (time / fastest - 1); });
      split.verdict = slower_or_undecided(split.slower_percent, best->times_s, point.times_s);
    }
    splits.back().splits.push_back(split);
  }
  return splits;
}

} // namespace

const char* name_of(Split::Verdict verdict) {
  constexpr const char* names[] = {"best", "slower", "undecided"};
  return names[static_cast<int>(verdict)];
}

bool is_grid(const Build& build) {
  return std::any_of(build.points.begin(), build.points.end(),
                     [&](const Point& p) { return p.threads != build.points.front().threads; });
}

Build by_cores(const Build& build) {
  return part_of(build, Axis::cores, [](const Point&) { return true; });
}

Build over_cores(const Build& build, bool oversubscribed_ok) {
  Build line = by_cores(build);
  std::vector<Point> best;
  for (Point& point : line.points) {
    const bool usable = oversubscribed_ok || !point.oversubscribed;
    if (best.empty() || best.back().size != point.size) best.push_back(std::move(point));
    else if (best.back().oversubscribed && !oversubscribed_ok && usable) best.back() = std::move(point);
  }
  line.points = std::move(best);
  return line;
}

Grid grid_of(const Build& build, const Sample* sequential, bool oversubscribed_ok) {
  const Build all = by_cores(build);
  Grid grid;
  grid.all = scaling_of(all, sequential, oversubscribed_ok);
  grid.splits = splits_of(all, oversubscribed_ok);
  std::set<int> ranks, threads;
  for (const Point& point : build.points) {
    ranks.insert(point.ranks);
    threads.insert(point.threads);
  }
  grid.ranks.assign(ranks.begin(), ranks.end());
  grid.threads.assign(threads.begin(), threads.end());
  for (const int n : grid.threads)
    add_line(part_of(build, Axis::ranks, [n](const Point& p) { return p.threads == n; }), n, oversubscribed_ok,
             grid.over_ranks);
  for (const int p : grid.ranks)
    add_line(part_of(build, Axis::threads, [p](const Point& point) { return point.ranks == p; }), p, oversubscribed_ok,
             grid.over_threads);
  return grid;
}

} // namespace andes::postproc
