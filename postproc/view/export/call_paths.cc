#include "postproc/view/export/call_paths.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "common/refusal.h"
#include "postproc/model/read_metric.h"

namespace andes::postproc {

void require_call_paths(const ShownRun& run, const char* format) {
  if (run.flat)
    refuse(fmt::format("--format {}", format), "it holds call paths, not sums of functions",
           "leave out --flat and --function");
}

std::int64_t whole_ns(double seconds) {
  constexpr double most_ns = 4e18; // 127 years
  return std::llround(std::clamp(seconds * 1e9, 0.0, most_ns));
}

std::vector<LocationTimes> times_by_location(const ShownRun& run, const char* format) {
  const Profile& profile = run.profile;
  if (profile.first_step_path >= 0)
    refuse(fmt::format("--format {}", format), "the steps of phases are only kept as sums over all ranks",
           "leave out --phases");
  const MetricByLocation own = metric_by_location(profile, run_file::exclusive_ns);
  const std::vector<TreeRow>& rows = run.tree.rows;
  const std::vector<std::size_t> order = rows_in_order(run.tree);
  std::vector<LocationTimes> result;
  for (std::size_t place = 0; place < own.locations.size(); ++place) {
    const Location& location = profile.locations[own.locations[place]];
    if (!run.ranks.empty() && !std::binary_search(run.ranks.begin(), run.ranks.end(), location.rank)) continue;
    LocationTimes& times = result.emplace_back();
    times.rank = location.rank;
    times.thread = location.thread;
    times.own_ns.resize(rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row)
      if (const auto& values = own.values[static_cast<std::size_t>(rows[row].id)]; !values.empty())
        times.own_ns[row] = whole_ns(values[place] * 1e-9);
    times.inclusive_ns = times.own_ns;
    for (auto row = order.rbegin(); row != order.rend(); ++row)
      for (const std::size_t child : rows[*row].children) times.inclusive_ns[*row] += times.inclusive_ns[child];
  }
  return result;
}

std::vector<std::size_t> rows_in_order(const Tree& tree) {
  std::vector<std::size_t> order, open(tree.roots.rbegin(), tree.roots.rend());
  while (!open.empty()) {
    const std::size_t row = open.back();
    open.pop_back();
    order.push_back(row);
    open.insert(open.end(), tree.rows[row].children.rbegin(), tree.rows[row].children.rend());
  }
  return order;
}

} // namespace andes::postproc
