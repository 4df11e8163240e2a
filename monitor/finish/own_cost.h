// The cost of the monitor itself: from its calibrations to the facts of a run.
#pragma once
#include "monitor/core/process.h"
#include "monitor/finish/reduction.h"
#include "monitor/finish/run.h"

namespace andes::monitor {

/// Means of the calibrations over the run.
ProbeCosts probe_costs(const Process& process);

/// Adds the facts budget_percent, probe_..._ns, calibrations, sampled_probe_ns, tool_error_ns, function_sample... and
/// tree_bytes to a run whose locations are filled in; `process` is rank 0's.
void add_own_cost_to_run(Run& run, const Process& process, double ns_per_tick, const Reduction& reduction);

} // namespace andes::monitor
