#include "postproc/analysis/path_models.h"

#include <algorithm>
#include <map>

#include "postproc/analysis/build_tree.h"
#include "postproc/analysis/points.h"

namespace andes::postproc {
namespace {

constexpr double least_modelled_percent = 1;

/// Own times of a call path by size.
struct PathTimes {
  std::vector<std::string> path;
  std::string kind;
  std::vector<SizedValue> values;
};

std::vector<PathTimes> own_times(const std::vector<PlacedPoint>& points, bool mean) {
  BuildTree tree;
  std::map<int, PathTimes> by_path; // by number in the tree
  for (const PlacedPoint& placed : points) {
    std::map<int, std::vector<double>> of_repeats;
    for (const Profile& profile : read_trees(*placed.point)) {
      const std::vector<int> numbers = add_run(tree, profile);
      for (std::size_t i = 0; i < numbers.size(); ++i)
        of_repeats[numbers[i]].push_back(profile.statistic(i, run_file::exclusive_ns).sum * 1e-9 /
                                         (mean ? profile.ranks : 1));
    }
    for (auto& [number, repeats] : of_repeats) {
      std::sort(repeats.begin(), repeats.end());
      const SizedValue value = sized_value(placed.size, repeats);
      if (value.value > 0) by_path[number].values.push_back(value);
    }
  }
  std::vector<PathTimes> all;
  for (auto& [number, series] : by_path) {
    series.path = path_of(tree, number);
    series.kind = tree.region_of(static_cast<std::size_t>(number)).kind;
    all.push_back(std::move(series));
  }
  return all;
}

} // namespace

std::vector<PathModel> path_models(const std::vector<PlacedPoint>& points, Claim claim, bool mean,
                                   double projected_size) {
  std::vector<PathModel> paths;
  double measured_sum = 0, projected_sum = 0;
  for (PathTimes& series : own_times(points, mean)) {
    if (series.values.back().size != points.back().size || !may_say(claim, series.values.size())) continue;
    const std::optional<TermModel> model = term_model(series.values);
    if (!model) continue;
    PathModel path{std::move(series.path), std::move(series.kind), *model, series.values.back().value,
                   model->at(projected_size)};
    measured_sum += path.percent;
    projected_sum += path.projected_percent;
    paths.push_back(std::move(path));
  }
  if (measured_sum <= 0 || projected_sum <= 0) return paths;
  for (PathModel& path : paths) {
    path.percent *= 100 / measured_sum;
    path.projected_percent *= 100 / projected_sum;
  }
  std::erase_if(paths, [](const PathModel& p) {
    return p.percent < least_modelled_percent && p.projected_percent < least_modelled_percent;
  });
  std::stable_sort(paths.begin(), paths.end(),
                   [](const PathModel& a, const PathModel& b) { return a.projected_percent > b.projected_percent; });
  return paths;
}

} // namespace andes::postproc
