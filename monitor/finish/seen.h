// Seen: what was measured of a call path, before costs are taken out: time in visits that were timed one by one, and
// estimates for the others from samples and windows.
#pragma once
#include <cstdint>
#include <vector>

#include "monitor/finish/derive.h"
#include "monitor/finish/interrupts.h"

namespace andes::monitor {

/// Of a 95 % interval, in standard errors.
inline constexpr double half_interval = 1.96;

/// The measured times of a node, before costs are taken out; ticks.
struct Seen {
  double certain = 0;   // time in exact visits, here or below
  double estimated = 0; // rest of the time of sampled visits
  double inner = 0;     // cost of the node's own probes within `certain`
  double outer = 0;     // the same, in the time of its caller
  double visits = 0;
  Distances visits_error, visits_cost; // as WindowEstimate
  double of_windows = 0; // the part of `estimated` from windows: time without that of closed callees
  double in_windows = 0; // cost that all visits would have had if the region had been open as in windows
  double exact = 0;        // visits that were timed one by one
  double exact_each = 0;   // cost of one of these
  double error = 0;        // of `inner` and `outer`
  double probe_error = 0;  // of `certain` without `inner`: how much of it is work done before or after the visit
  double waits_variance = 0; // of the waits for a core in `estimated`
  double cost_error = 0; // of the estimate, the same for all visits: cost that timed ones had, work they have missed
  double while_closed = 0; // cost of visits outside of windows, within the time of the nearest exact caller
  bool trust_samples = true, trust_windows = true; // what is from either can be relied on
  bool is_unknown = false; // some visits are neither timed nor like others that were: their time is the caller's
  bool is_few = false; // so few visits were timed at all that only the caller's time bounds the others
  double as_exact = 0; // where few of the estimated visits were timed: their time, had they lasted as exact ones

  double inclusive() const { return certain + estimated; }
};

/// What timed visits tell of the node; `estimate` becomes that of the visits that were not timed one by one.
Seen seen_of(const Tree& tree, std::uint32_t node, const ProbeCosts& costs, const CoreLoss& loss,
             const Interrupts& interrupts, Estimate& estimate);

/// What the timed visits of the tree's call paths have met.
Interrupts interrupts_of(const Tree& tree, double ticks_per_us);

/// Of the time of a call path's estimated visits, with what the interval says, which may be wider, and the error of the
/// probes' cost.
double variance_of(const Seen& seen, const Estimate& estimate);

/// Whether some of its visits were timed alone, by which the others are estimated, in windows or while it was open.
inline bool was_estimated(const Tree& tree, std::uint32_t node) {
  return node >= first_free_node && tree.node(node).record != 0;
}

/// Own times, ticks, by node; below zero where estimates of callees are more than their caller has.
std::vector<double> own_times(const Tree& tree, const std::vector<Seen>& seen);

/// The time of each call path that is exact, callees included, and of the others that of their nearest exact caller.
std::vector<double> exact_times(const Tree& tree, const std::vector<Seen>& seen);

/// The loss of the tree's thread, as its timed visits suggest it.
CoreLoss adjusted(const CoreLoss& loss, const Tree& tree);

/// Adds the cost of exact visits, which depends on the time between them, and what readings of the clock have missed.
void add_exact_costs(const Tree& tree, const ProbeCosts& costs, std::vector<Seen>& seen);

inline const WindowSums& windows_of(const Tree& tree, std::uint32_t node) {
  return tree.records[tree.node(node).record].windows;
}

} // namespace andes::monitor
