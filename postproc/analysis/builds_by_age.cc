#include "postproc/analysis/builds_by_age.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace andes::postproc {
namespace {

/// The runs of one executable at one size.
struct OfSize {
  std::string hash, started; // of the latest of them
  Point point;
};

std::string latest(const Point& point) {
  std::string started;
  for (const SeriesRun& run : point.runs) started = std::max(started, fact_text(run.profile, "started"));
  return started;
}

} // namespace

std::map<std::string, Build> joined_by_age(std::map<std::string, Build> by_hash) {
  std::map<std::pair<int, int>, std::vector<OfSize>> by_size;
  for (auto& [hash, build] : by_hash)
    for (Point& point : build.points) {
      const std::pair size(point.ranks, point.threads);
      std::string started = latest(point);
      by_size[size].push_back({hash, std::move(started), std::move(point)});
    }
  std::vector<Build> by_age;
  for (auto& [size, executables] : by_size) { // the smallest first, as the points of a build
    std::ranges::stable_sort(executables, std::greater<>(), &OfSize::started);
    by_age.resize(std::max(by_age.size(), executables.size()));
    for (std::size_t age = 0; age < executables.size(); ++age) {
      Build& build = by_age[age];
      if (build.points.empty()) build.hash = executables[age].hash;
      build.started = std::max(build.started, executables[age].started);
      build.points.push_back(std::move(executables[age].point));
    }
  }
  std::map<std::string, Build> joined;
  for (Build& build : by_age) joined.emplace(build.hash, std::move(build));
  return joined;
}

} // namespace andes::postproc
