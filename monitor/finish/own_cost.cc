#include "monitor/finish/own_cost.h"

#include <cmath>

namespace andes::monitor {

ProbeCosts probe_costs(const Process& process) { return mean_costs(process.cost_history, process.costs); }

void add_own_cost_to_run(Run& run, const Process& process, double ns_per_tick, const Reduction& reduction) {
  const ProbeCosts costs = probe_costs(process);
  run.facts["budget_percent"] = process.settings.budget_percent;
  std::int64_t threads = 0; // beside the main thread
  for (std::uint32_t i = 1; i < process.location_count; ++i) threads += process.locations[i] != nullptr;
  const std::int64_t of_budget = std::llround(process.settings.tree_mb * 1e6) - process.tree_memory.left_bytes;
  run.facts["tree_bytes"] = of_budget + threads * least_tree_bytes;
  if (costs.pair <= 0) return; // not calibrated, so no cost was taken out either
  run.facts["probe_ns"] = costs.pair * ns_per_tick;
  run.facts["probe_dependent_ns"] = costs.dependent * ns_per_tick;
  run.facts["probe_busy_ns"] = costs.busy * ns_per_tick;
  run.facts["calibrations"] = std::int64_t{process.cost_history.count};
  run.facts["sampled_probe_ns"] = costs.sampled * ns_per_tick;
  run.facts["tool_error_ns"] = reduction.tool_error_ns;
  if (reduction.window_thread_ns > 0) run.facts["window_thread_ns"] = reduction.window_thread_ns;
  if (process.windows.count != 0) run.facts["windows"] = std::int64_t{process.windows.count};
  if (reduction.function_samples == 0) return;
  run.facts["function_samples"] = reduction.function_samples;
  if (process.windows.sample_cost_ns > 0) run.facts["function_sample_ns"] = process.windows.sample_cost_ns;
}

} // namespace andes::monitor
