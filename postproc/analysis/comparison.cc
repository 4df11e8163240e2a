// Call paths are compared by exclusive time: an inclusive time changes with all that is called, and
// one change would fill the list with the whole path to it.
#include "postproc/analysis/comparison.h"

#include <algorithm>
#include <cmath>

#include "postproc/analysis/paths.h"
#include "postproc/analysis/routines.h"

namespace andes {
namespace {

constexpr std::size_t most_changed = 10;

const Point* point_of(const Build& build, int ranks) {
  for (const Point& point : build.points)
    if (point.ranks == ranks) return &point;
  return nullptr;
}

ComparedBuild described(const Build& build) {
  ComparedBuild d{build.hash, build.started, {}};
  for (const Point& point : build.points)
    for (const SeriesRun& run : point.runs) d.files.push_back(run.profile.file);
  std::sort(d.files.begin(), d.files.end());
  return d;
}

Change judged(const Estimate& change) {
  if (change.kind == Estimate::Kind::point) return Change::undecided;
  if (change.high && *change.high < 0) return Change::faster;
  if (change.low && *change.low > 0) return Change::slower;
  return Change::undecided;
}

ComparedPath compared(const std::vector<PathRow>& rows, std::size_t number,
                      std::size_t before_runs) {
  const PathRow& row = rows[number];
  std::vector<double> before, after;
  for (std::size_t r = 0; r < row.runs.size(); ++r)
    (r < before_runs ? before : after).push_back(row.runs[r].exclusive_mean_s);
  const Sample b = sample_of(std::move(before), 1), a = sample_of(std::move(after), 2);
  ComparedPath path{path_of(rows, static_cast<int>(number)),
                    row.kind,
                    row.file,
                    row.line,
                    estimate_of(b),
                    estimate_of(a),
                    {}};
  path.change_s = derive(b, a, [](double from, double to) { return to - from; });
  return path;
}

double median_change(const PathRow& row, std::size_t before_runs) {
  std::vector<double> before, after;
  for (std::size_t r = 0; r < row.runs.size(); ++r)
    (r < before_runs ? before : after).push_back(row.runs[r].exclusive_mean_s);
  std::sort(before.begin(), before.end());
  std::sort(after.begin(), after.end());
  return median_of(after) - median_of(before);
}

std::vector<ComparedPath> compared_paths(const Point& before, const Point& after) {
  std::vector<Profile> runs = read_trees(before);
  const std::size_t before_runs = runs.size();
  for (Profile& profile : read_trees(after)) runs.push_back(std::move(profile));
  const std::vector<PathRow> rows = side_by_side(runs);
  std::vector<std::pair<double, std::size_t>> changes; // with their rows
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double change = median_change(rows[i], before_runs);
    if (change != 0) changes.emplace_back(std::fabs(change), i);
  }
  std::stable_sort(changes.begin(), changes.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  if (changes.size() > most_changed) changes.resize(most_changed);
  std::vector<ComparedPath> paths;
  for (const auto& [change, row] : changes) paths.push_back(compared(rows, row, before_runs));
  return paths;
}

} // namespace

const char* name_of(Change change) {
  constexpr const char* names[] = {"faster", "slower", "undecided"};
  return names[static_cast<int>(change)];
}

std::optional<Comparison> compare(const Build& before, const Scaling& before_scaling,
                                  const Build& after, const Scaling& after_scaling) {
  Comparison comparison{described(before), described(after), {}, 0, {}};
  int any = 0;
  for (const ScalingPoint& a : after_scaling.points) {
    for (const ScalingPoint& b : before_scaling.points) {
      if (a.ranks != b.ranks) continue;
      ComparedPoint c;
      c.ranks = any = a.ranks;
      c.oversubscribed = a.oversubscribed || b.oversubscribed;
      c.before_s = b.time_s;
      c.after_s = a.time_s;
      c.change_percent =
          derive(point_of(before, a.ranks)->times_s, point_of(after, a.ranks)->times_s,
                 [](double from, double to) { return 100 * (to / from - 1); });
      c.change = judged(c.change_percent);
      c.speedup_before = b.speedup;
      c.speedup_after = a.speedup;
      c.fraction_before = b.serial_fraction;
      c.fraction_after = a.serial_fraction;
      comparison.points.push_back(c);
      if (a.usable && b.usable) comparison.ranks = a.ranks;
    }
  }
  if (comparison.points.empty()) return {};
  if (comparison.ranks == 0) comparison.ranks = any;
  comparison.paths =
      compared_paths(*point_of(before, comparison.ranks), *point_of(after, comparison.ranks));
  return comparison;
}

} // namespace andes
