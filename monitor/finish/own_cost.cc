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
  const ProbeCosts &start = process.costs, &end = process.costs_at_end;
  if (start.pair == 0) return end;
  if (end.pair == 0) return start;
  auto mean = [](double a, double b) { return (a + b) / 2; };
  ProbeCosts costs;
  costs.pair = mean(start.pair, end.pair);
  costs.inner = mean(start.inner, end.inner);
  costs.sampled = mean(start.sampled, end.sampled);
  costs.sample = mean(start.sample, end.sample);
  costs.sample_inner = mean(start.sample_inner, end.sample_inner);
  costs.timed = mean(start.timed, end.timed);
  costs.closed = std::min(start.closed, end.closed);
  costs.hook = start.hook;
  costs.error =
      std::max({mean(start.error, end.error), std::abs(start.pair - end.pair) / 2, share_of_surroundings * costs.pair});
  costs.ticks_per_ms = start.ticks_per_ms;
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
  run.facts["sampled_probe_ns"] = costs.sampled * ns_per_tick;
  if (process.windows.count != 0) run.facts["windows"] = std::int64_t{process.windows.count};
  run.facts["tool_error_ns"] = tool_ns * costs.error / costs.pair;
}

} // namespace andes::monitor
