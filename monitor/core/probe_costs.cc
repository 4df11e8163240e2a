#include "monitor/core/probe_costs.h"

namespace andes::monitor {

void add_calibration(CostHistory& history, const ProbeCosts& before, const ProbeCosts& costs, std::uint64_t now_ticks) {
  if (history.count++ == 0 || costs.closed < history.least_closed) history.least_closed = costs.closed;
  const double ticks = history.count == 1 ? 0 : static_cast<double>(now_ticks - history.last_ticks);
  history.last_ticks = now_ticks;
  if (!(ticks > 0)) return;
  history.ticks += ticks;
  for (const auto cost : repeated_costs) history.integral.*cost += ticks * (before.*cost + costs.*cost) / 2;
  const double change = costs.pair - before.pair;
  history.changes += ticks * (change < 0 ? -change : change) / 2;
}

ProbeCosts mean_costs(const CostHistory& history, const ProbeCosts& latest) {
  ProbeCosts mean = latest;
  if (!(history.ticks > 0)) return mean;
  for (const auto cost : repeated_costs) mean.*cost = history.integral.*cost / history.ticks;
  mean.closed = history.least_closed;
  const double change = history.changes / history.ticks;
  if (change > mean.error) mean.error = change;
  return mean;
}

} // namespace andes::monitor
