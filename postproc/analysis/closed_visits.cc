#include "postproc/analysis/closed_visits.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "postproc/analysis/region_evidence.h"
#include "postproc/analysis/sampling.h"

namespace andes::postproc {
namespace {

/// What a visit may cost the program, as measured for functions of Graph500 that were entered 5 * 10^8 times
/// (docs/measurements/2026-11-budget.md, "Graph500 with a selection").
constexpr double closed_visit_ns = 0.7;
constexpr double least_share = 0.1;

} // namespace

ClosedVisits closed_visits(const Profile& run) {
  std::map<std::string, double> by_name;
  for (std::size_t i = 0; i < run.callpaths.size(); ++i) {
    const Region& region = run.regions[std::size_t(run.callpaths[i].region)];
    const Statistic* const callpath = &run.statistic(i, 0);
    if (is_function(region) && visits_above(callpath) > 0) by_name[region.name] += callpath[run_file::visits].sum;
  }
  ClosedVisits closed;
  std::vector<std::pair<double, std::string>> functions;
  for (const auto& [name, visits] : by_name) {
    closed.visits += visits;
    functions.emplace_back(visits, name);
  }
  std::ranges::sort(functions, std::greater<>());
  for (const auto& [visits, name] : functions)
    if (visits >= least_share * functions.front().first) closed.functions.push_back(name);
  closed.percent = 100 * closed.visits * closed_visit_ns / (run.ranks * run.wall_s * 1e9);
  return closed;
}

} // namespace andes::postproc
