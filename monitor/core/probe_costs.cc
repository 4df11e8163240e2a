#include "monitor/core/probe_costs.h"

#include "monitor/core/bounds.h"
#include "monitor/system/relaxed.h"

namespace andes::monitor {

// A thread that forks copies the history meanwhile, word by word.
void add_calibration(CostHistory& history, const ProbeCosts& before, const ProbeCosts& costs, std::uint64_t now_ticks) {
  const bool is_first = history.count == 0;
  add_relaxed(history.count, decltype(history.count){1});
  if (is_first || costs.closed < history.least_closed) store_relaxed(history.least_closed, costs.closed);
  const double ticks = is_first ? 0 : static_cast<double>(now_ticks - history.last_ticks);
  store_relaxed(history.last_ticks, now_ticks);
  if (!(ticks > 0)) return;
  add_relaxed(history.ticks, ticks);
  for (const auto cost : repeated_costs) add_relaxed(history.integral.*cost, ticks * (before.*cost + costs.*cost) / 2);
  const double change = costs.pair - before.pair;
  add_relaxed(history.changes, ticks * (change < 0 ? -change : change) / 2);
}

PairCost cost_of_pair(const ProbeCosts& costs, double between) {
  const PairCost alone = {costs.pair, costs.inner, at_most(costs.pair, costs.dependent),
                          at_least(costs.pair, costs.dependent)};
  // A mispredicted branch before it leaves a pair no shadow to run in: then it costs as much as alone and, as it is in
  // no loop of its own, somewhat more.
  constexpr double more_in_programs = 1.25;
  const double low = at_most(alone.low, costs.busy), high = at_least(alone.high, costs.busy), all = (low + high) / 2;
  const double sum = costs.pair + costs.dependent + costs.busy;
  const double inner_share = sum > 0 ? (costs.inner + costs.dependent_inner + costs.busy_inner) / sum : 0;
  const PairCost among_work = {all, inner_share * all, low, more_in_programs * high};
  // From one to the other between one and two times the cost of a pair.
  const double work = costs.pair > 0 ? at_most(at_least(between / costs.pair - 1, 0), 1) : 0;
  const auto mixed = [work](double a, double b) { return a + work * (b - a); };
  return {mixed(alone.all, among_work.all), mixed(alone.inner, among_work.inner), mixed(alone.low, among_work.low),
          mixed(alone.high, among_work.high)};
}

namespace {

// Work of timed visits that are seen to take so long, if its operations wait for each other.
double dependent_work(const ProbeCosts& costs, double seen) {
  const double alone = costs.sample_inner;
  // Noise must not make the shorter piece look shorter than none.
  const double shorter = at_least(costs.short_work + costs.sample_short_inner, alone + costs.short_work / 8);
  if (!(seen > alone)) return 0;
  if (seen < shorter) return costs.short_work * (seen - alone) / (shorter - alone);
  // Beyond twice the shorter piece nothing is in the probe's shadow.
  const double beyond = shorter > 0 ? at_most(seen / shorter - 1, 1) : 1;
  const double inner = shorter - costs.short_work;
  return at_least(seen - (inner + beyond * (costs.sample_dependent_inner - inner)), 0);
}

double busy_work(const ProbeCosts& costs, double seen) {
  const double alone = costs.sample_inner;
  if (!(seen > alone)) return 0;
  const double beyond = alone > 0 ? at_most(seen / alone - 1, 1) : 1;
  return at_least(seen - (alone + beyond * (costs.sample_busy_inner - alone)), 0);
}

} // namespace

ProbeCosts costs_of_kind(const ProbeCosts& costs, std::uint32_t kind) {
  static constexpr double ProbeCosts::* sampled[] = {&ProbeCosts::sample_inner, &ProbeCosts::sample_dependent_inner,
                                                     &ProbeCosts::sample_busy_inner, &ProbeCosts::sample_short_inner};
  static constexpr double ProbeCosts::* exact[] = {&ProbeCosts::inner, &ProbeCosts::dependent_inner,
                                                   &ProbeCosts::busy_inner};
  ProbeCosts own = costs;
  if (!ANDES_KIND_IS_MPI(kind)) return own;
  for (const auto cost : sampled) own.*cost = at_least(costs.*cost - costs.call_less, 0);
  if (costs.counts_by_call) // then exact visits are slow, too
    for (const auto cost : exact) own.*cost = at_least(costs.*cost - costs.call_less, 0);
  return own;
}

InnerCost inner_of_timed(const ProbeCosts& costs, double seen) {
  const double dependent = dependent_work(costs, seen), busy = busy_work(costs, seen);
  return {seen - (dependent + busy) / 2, seen - at_least(dependent, busy), seen - at_most(dependent, busy)};
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
