#include "monitor/finish/own_cost.h"

#include <algorithm>
#include <cmath>

namespace andes::monitor {
namespace {

// The cost of a pair of probes depends on the code around it: functions that depend on each other's
// results, or mispredict, lose up to this share more to the clock than the calibration's functions
// (docs/measurements/2026-11-probes.md).
constexpr double share_of_surroundings = 0.4;

} // namespace

ProbeCosts probe_costs(const Process& process) {
  ProbeCosts costs = mean_costs(process.cost_history, process.costs);
  costs.error = std::max(costs.error, share_of_surroundings * costs.pair);
  return costs;
}

void add_own_cost_to_run(Run& run, const Process& process, double ns_per_tick) {
  const ProbeCosts costs = probe_costs(process);
  run.facts["budget_percent"] = process.settings.budget_percent;
  std::int64_t threads = 0; // beside the main thread
  for (std::uint32_t i = 1; i < process.location_count; ++i) threads += process.locations[i] != nullptr;
  const std::int64_t of_budget = std::llround(process.settings.tree_mb * 1e6) - process.tree_memory.left_bytes;
  run.facts["tree_bytes"] = of_budget + threads * least_tree_bytes;
  if (costs.pair <= 0) return; // not calibrated, so no cost was taken out either
  double tool_ns = 0;
  for (const LocationRow& row : run.locations) tool_ns += static_cast<double>(row.tool_ns);
  run.facts["probe_ns"] = costs.pair * ns_per_tick;
  run.facts["calibrations"] = std::int64_t{process.cost_history.count};
  run.facts["sampled_probe_ns"] = costs.sampled * ns_per_tick;
  if (process.windows.count != 0) run.facts["windows"] = std::int64_t{process.windows.count};
  run.facts["tool_error_ns"] = tool_ns * costs.error / costs.pair;
}

} // namespace andes::monitor
