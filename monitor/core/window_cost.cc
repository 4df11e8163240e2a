#include "monitor/core/window_cost.h"

#include "monitor/core/closed_records.h"

namespace andes::monitor {
namespace {

// Found as the time of windows of 0.1 to 1.6 ms that was left beside that of the program's visits, in a program of
// 3,500 call paths with visits of 4 ns (docs/measurements/2026-11-window-costs.md).
constexpr double first_visit_ns = 1500; // of a call path in the window: nothing that the probe reads is in the caches
constexpr double large_tree = 256; // call paths with a record; those of smaller ones stay there, the more the fewer
constexpr double around_slow_ns = 30; // into and out of a slow path that is measured (decision 316)
constexpr double slow_readings = 4; // of the clock in a slow visit, outside of what is measured (decision 304)
constexpr double most_of_first = 0.5; // of the window's time that is left, for all first visits
// Of what is left beside timed visits, for those that are counted. They take two thirds at most in the shortest
// functions (4 ns); what a calibration beside a busy neighbour says may be more than the whole window, and the visits
// would be told many times too high.
constexpr double most_of_counted_visits = 0.65;

} // namespace

double note_window_work(const Process& process, Location& location, std::uint64_t begin_ticks) {
  constexpr double most_ms = 0.02; // in longer ones the thread had lost its core
  // What the end of the window has interrupted would count in the next one.
  if (begin_ticks < load_relaxed(location.tree.window_ticks)) return 0;
  const std::uint64_t ticks = ticks_now(process.clock) - begin_ticks;
  add_relaxed<std::uint64_t>(location.slow_paths, 1);
  const double ticks_per_ms = process.costs.ticks_per_ms;
  if (static_cast<double>(ticks) >= most_ms * ticks_per_ms) return 0;
  add_relaxed(location.window_work_ticks, ticks);
  return static_cast<double>(ticks) + around_slow_ns * ticks_per_ms / 1e6;
}

WindowCost cost_of_window(const ProbeCosts& costs, Location& location, double open_ticks) {
  const std::uint64_t work_ticks = load_relaxed(location.window_work_ticks);
  const double ticks_per_ns = costs.ticks_per_ms / 1e6;
  const std::uint64_t slow_paths = load_relaxed(location.slow_paths);
  // Of a timed visit, beside its slow end; or beside both, where probes may not read the clock.
  const double timed_ticks = costs.counts_by_call ? slow_readings * costs.clock : (costs.pair - costs.sampled) / 2;
  WindowCost cost = {.measured = static_cast<double>(work_ticks - location.window_work_seen),
                     .taken =
                         static_cast<double>(slow_paths - location.slow_paths_seen) * around_slow_ns * ticks_per_ns};
  location.window_work_seen = work_ticks;
  location.slow_paths_seen = slow_paths;
  const double paths = location.tree.record_count - 1;
  const double each_first = first_visit_ns * ticks_per_ns * (paths < large_tree ? paths / large_tree : 1);
  double first_ticks = 0, counted_ticks = 0;
  for_each_awake(location.tree, true, [&](SampleRecord& record) {
    record.visits_now = visits_from_outside(location.tree, record.node);
    if (rests_on(record)) return;
    time_next(location.tree, record, 0, 0);
    const auto visits = static_cast<double>(record.visits_now - record.windows.visits_seen);
    const std::uint64_t left_out = load_relaxed(record.left_out);
    auto timed = static_cast<double>(load_relaxed(record.windows.timed) - record.windows.timed_seen + left_out -
                                     record.left_out_seen);
    record.left_out_seen = left_out;
    if (timed > visits) timed = visits;
    const double hook = location.tree.accounts[record.node].by_hooks ? costs.hook : 0;
    counted_ticks += visits * (hook + counted_cost(costs));
    cost.taken += timed * timed_ticks;
    if (visits > 0) first_ticks += each_first;
  });
  const auto take = [&](double ticks, double share) {
    const double most = share * at_least(open_ticks - cost.measured - cost.taken, 0);
    cost.taken += ticks < most ? ticks : most;
  };
  take(counted_ticks, most_of_counted_visits);
  take(first_ticks, most_of_first);
  return cost;
}

} // namespace andes::monitor
