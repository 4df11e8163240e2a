#include "monitor/finish/derive.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "monitor/finish/fit_to_samples.h"
#include "monitor/finish/seen.h"

namespace andes::monitor {
namespace {

constexpr double small = 0.1; // of an estimate: an unreliable part no larger than this does not spoil it
constexpr double narrow = 0.02; // of the thread's time: an interval no wider than this need not be doubted

bool is_compute(std::uint32_t kind) {
  return !ANDES_KIND_IS_COMMUNICATION(kind) && !ANDES_KIND_IS_IDLE(kind) && kind != ANDES_KIND_IO &&
         kind != ANDES_KIND_TOOL;
}

bool is_in_parallel(const Tree& tree, std::uint32_t node) {
  while ((node = tree.node(node).parent) != ANDES_NOWHERE)
    if (tree.node(node).kind == ANDES_KIND_PARALLEL) return true;
  return false;
}

/// Decides whether an estimate can be relied on, now that its callees are known; otherwise it gets a wide interval.
void doubt(const Seen& seen, Estimate& estimate) {
  const double of_samples = seen.estimated - seen.of_windows;
  const double unsure = (seen.trust_samples ? 0 : of_samples) + (seen.trust_windows ? 0 : seen.of_windows);
  const bool is_spoilt = !(seen.trust_samples && seen.trust_windows) && unsure >= small * seen.estimated;
  estimate.reliable = !is_spoilt && !seen.is_unknown;
  if (!estimate.reliable) estimate = doubted(estimate, seen.as_exact);
}

/// Visits in windows give the time of a call path without that of closed call paths below, which have better
/// estimates of their own: here both are added, and it is decided which sums are doubted, before callers get them. The
/// cost of calls in windows did not arise outside of them.
void add_callees(const Tree& tree, std::vector<Seen>& seen, std::vector<Estimate>& estimates) {
  std::vector<double> cost(seen.size());
  std::vector<Estimate> below(seen.size());
  for (std::uint32_t i = static_cast<std::uint32_t>(seen.size()); i-- > 1;) {
    const WindowSums& windows = windows_of(tree, i);
    const std::uint32_t parent = tree.node(i).parent;
    cost[parent] += seen[i].in_windows;
    const bool is_estimated = seen[i].visits != 0 && tree.node(i).record != 0;
    if (is_estimated && windows.windows != 0) {
      const double callees = windows.whole > 0 ? below[i].total : 0;
      const double more = callees - std::min(cost[i], seen[i].of_windows);
      seen[i].estimated += more;
      seen[i].of_windows += more;
      estimates[i].total += more;
      if (callees > 0)
        estimates[i] = sum_of(estimates[i], {0, below[i].variance, below[i].below, below[i].above, true});
    }
    if (i >= first_free_node) doubt(seen[i], estimates[i]);
    if (!is_estimated) continue; // exact: its time is not part of its caller's estimate
    Estimate of_windows = below[i];
    if (windows.windows != 0) {
      of_windows = estimates[i];
      of_windows.total = seen[i].of_windows;
    }
    // Only the part from the time when the caller was closed, too.
    const double cpu_ns = windows_of(tree, parent).cpu_ns;
    const double share = cpu_ns > 0 && cpu_ns < windows.cpu_ns ? cpu_ns / windows.cpu_ns : 1;
    below[parent] = sum_of(below[parent], {share * of_windows.total, share * share * of_windows.variance,
                                           share * of_windows.below, share * of_windows.above, true});
  }
}

/// The call path whose time contains the cost of a closed region's visits: callers that were closed are
/// estimated without it.
std::uint32_t nearest_open(const Tree& tree, const std::vector<Seen>& seen, std::uint32_t node) {
  do node = tree.node(node).parent;
  while (seen[node].while_closed > 0);
  return node;
}

/// Cost of the monitor in the exclusive time of each node.
std::vector<double> costs_of(const Tree& tree, const std::vector<Seen>& seen) {
  std::vector<double> cost(seen.size());
  for (std::uint32_t i = 0; i < seen.size(); ++i) {
    cost[i] += seen[i].inner + static_cast<double>(tree.accounts[i].tool_ticks);
    if (i == node_root) continue;
    cost[tree.node(i).parent] += seen[i].outer;
    if (seen[i].while_closed > 0) cost[nearest_open(tree, seen, i)] += seen[i].while_closed;
  }
  return cost;
}

/// Limits an interval to the possible range.
void keep_below(Estimate& estimate, double most) {
  estimate.below = std::min(estimate.below, estimate.total);
  estimate.above = std::max(0.0, std::min(estimate.above, most - estimate.total));
  const double error = (estimate.below + estimate.above) / 2 / half_interval;
  estimate.variance = std::min(estimate.variance, error * error);
}

/// Estimated times that together have no more room than that, by their variances: of one that is known well and one
/// that is not it is the other that is too long (as function_fit.h, for one condition).
void fit_into(double room, const std::vector<double>& variances, std::vector<double>& times) {
  double over = std::accumulate(times.begin(), times.end(), 0.0) - room;
  for (std::size_t round = 0; round <= times.size() && over > 0; ++round) { // in each but the last some become zero
    double movable = 0;
    for (std::size_t i = 0; i < times.size(); ++i) movable += times[i] > 0 ? variances[i] : 0;
    if (!(movable > 0)) break;
    const double share = over / movable;
    over = 0;
    for (std::size_t i = 0; i < times.size(); ++i) {
      if (!(times[i] > 0)) continue;
      times[i] -= share * variances[i];
      over += std::max(0.0, -times[i]);
      times[i] = std::max(0.0, times[i]);
    }
  }
  const double sum = std::accumulate(times.begin(), times.end(), 0.0);
  if (!(over > 0) || !(sum > 0)) return; // nothing but rounding is left
  for (double& time : times) time *= room / sum; // those whose error is not known
}

/// Limits intervals to what callers have room for and, where `shrinks`, estimates that together exceed their caller's
/// time: the sum of the parts and of the monitor's cost between them is never more than the whole.
void fit_into_callers(const Tree& tree, const std::vector<double>& cost, bool shrinks, std::vector<Seen>& seen,
                      std::vector<Estimate>& estimates) {
  std::vector<std::vector<std::uint32_t>> callees(seen.size()); // that are estimated, if they may shrink
  std::vector<double> certain(seen.size()), most(seen.size()), factor(seen.size(), 1.0);
  for (std::uint32_t i = 1; i < seen.size(); ++i) {
    certain[tree.node(i).parent] += seen[i].certain;
    if (shrinks && seen[i].estimated > 0) callees[tree.node(i).parent].push_back(i);
  }
  std::vector<double> times, variances; // of the callees
  for (std::uint32_t i = 0; i < seen.size(); ++i) {
    if (i != node_root) {
      const std::uint32_t parent = tree.node(i).parent;
      seen[i].estimated *= factor[i];
      estimates[i].total *= factor[i];
      if (seen[i].is_unknown || (seen[i].is_few && !estimates[i].reliable)) { // no more than its caller has room for
        estimates[i].above = most[parent];
        estimates[i].variance = most[parent] * most[parent];
      }
      keep_below(estimates[i], most[parent]);
    }
    const double room =
        std::max(0.0, seen[i].inclusive() + static_cast<double>(tree.accounts[i].moved_ticks) - certain[i] - cost[i]);
    most[i] = room + estimates[i].above;
    if (!shrinks) continue;
    times.clear();
    variances.clear();
    for (const std::uint32_t callee : callees[i]) {
      times.push_back(seen[callee].estimated);
      variances.push_back(variance_of(seen[callee], estimates[callee]));
    }
    fit_into(room, variances, times);
    for (std::size_t of = 0; of < times.size(); ++of)
      factor[callees[i][of]] = times[of] / seen[callees[i][of]].estimated;
  }
}

/// No time is off by more than its nearest exact caller has, however little is known of it.
void keep_errors_within(const Tree& tree, std::vector<Seen>& seen, OwnErrors& own) {
  const std::vector<double> exact = exact_times(tree, seen);
  for (std::uint32_t i = 0; i < seen.size(); ++i) {
    seen[i].cost_error = std::min(seen[i].cost_error, exact[i]);
    own.each[i] = std::min(own.each[i], exact[i]);
    own.in_region[i] = std::min(own.in_region[i], exact[i]);
  }
}

/// Whatever else is known of an estimate: an interval that is narrow against the thread's time says enough.
void trust_narrow(const std::vector<Seen>& seen, std::vector<Estimate>& estimates) {
  const double most = narrow * seen[node_root].inclusive();
  for (std::uint32_t i = first_free_node; i < seen.size(); ++i)
    estimates[i].reliable = estimates[i].reliable || estimates[i].below + estimates[i].above <= most;
}

constexpr double least_ticks = 1e-3; // smaller times count as zero

/// Computes exclusive times without the probes' cost, and the cost taken out of each node.
void take_out_cost(const Tree& tree, const std::vector<Seen>& seen, const std::vector<double>& cost, Derived& derived,
                   std::vector<double>& taken) {
  derived.exclusive = own_times(tree, seen);
  for (std::uint32_t i = 0; i < seen.size(); ++i) {
    if (i == node_tool) continue;
    taken[i] = std::min(cost[i], std::max(0.0, derived.exclusive[i]));
    derived.exclusive[i] -= taken[i];
    if (std::abs(derived.exclusive[i]) < least_ticks) derived.exclusive[i] = 0; // only rounding is left
    derived.exclusive[node_tool] += taken[i];
  }
}

/// The nearest call path around to which time of a recursion was moved; the root if there is none.
std::uint32_t first_occurrence(const Tree& tree, std::uint32_t node) {
  do node = tree.node(node).parent;
  while (node != node_root && tree.accounts[node].moved_ticks <= 0);
  return node;
}

/// What the visits of a recursion cost is told at its first occurrence; it passed in the call paths that led to them,
/// too, and counts there by their share of its time. None gets less than what it and its callees have for themselves,
/// nor than one of the callees. `taken`: callees included.
void take_out_of_recursion(const Tree& tree, const std::vector<Seen>& seen, const std::vector<double>& taken,
                           Derived& derived) {
  std::vector<double> own = derived.exclusive, largest(seen.size()); // with callees; of the callees
  std::vector<bool> leads_back(seen.size()); // to a call path around it: time was moved there
  for (auto i = static_cast<std::uint32_t>(seen.size()); i-- > first_free_node;) { // callees come first
    leads_back[i] = leads_back[i] || tree.accounts[i].moved_ticks < 0;
    // Estimated visits are told without the recursion in them.
    const std::uint32_t first = leads_back[i] && !was_estimated(tree, i) ? first_occurrence(tree, i) : node_root;
    if (first != node_root && seen[first].inclusive() > 0) {
      const double share = std::min(1.0, seen[i].inclusive() / seen[first].inclusive());
      const double rest = std::max({own[i], largest[i], seen[i].inclusive() - share * taken[first]});
      derived.inclusive[i] = std::min(derived.inclusive[i], rest);
    }
    const std::uint32_t parent = tree.node(i).parent;
    own[parent] += own[i];
    largest[parent] = std::max(largest[parent], derived.inclusive[i]);
    if (leads_back[i]) leads_back[parent] = true;
  }
}

/// Visits may have taken so much less than was seen, or more, up to their caller's time and what was taken out. What is
/// too little to be seen in a share is left out: then the time is exact.
void add_probe_errors(const Tree& tree, const std::vector<Seen>& seen, Derived& derived) {
  derived.probe_error.resize(seen.size());
  for (std::uint32_t i = first_free_node; i < seen.size(); ++i) {
    const double around = derived.exclusive[tree.node(i).parent] + seen[i].inner + seen[i].outer;
    const double error = std::min(seen[i].probe_error, std::max(derived.exclusive[i], around));
    if (error > narrow * seen[node_root].inclusive()) derived.probe_error[i] = error;
  }
}

/// Waits within the monitor's own work are neither its cost nor a function's: they are the thread's (decision 297).
void move_waits(const CoreLoss& loss, Derived& derived) {
  const double waits = std::min(loss.monitor_ticks, derived.exclusive[node_tool]);
  derived.exclusive[node_tool] -= waits;
  derived.exclusive[node_root] += waits;
}

} // namespace

Derived derive(const Tree& tree, const ProbeCosts& costs, const CoreLoss& of_thread, const Sampling& sampling) {
  const std::uint32_t count = tree.node_count;
  Derived derived;
  for (auto* column : {&derived.inclusive, &derived.computation, &derived.communication, &derived.synchronisation,
                       &derived.team_idle, &derived.io})
    column->resize(count);
  derived.estimates.resize(count);
  derived.visits.resize(count);
  derived.visits_error.resize(count);
  derived.visits_cost.resize(count);
  derived.cost_error.resize(count);
  const CoreLoss loss = adjusted(of_thread, tree);
  const Interrupts interrupts = interrupts_of(tree, costs.ticks_per_ms / 1e3);
  std::vector<Seen> seen(count);
  std::vector<double> taken(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    seen[i] = seen_of(tree, i, costs, loss, interrupts, derived.estimates[i]);
    derived.visits[i] = seen[i].visits;
    derived.visits_error[i] = seen[i].visits_error;
    derived.visits_cost[i] = seen[i].visits_cost;
    if (i != node_root && i != node_tool) derived.tool_visits += tree.visits(i);
  }
  add_callees(tree, seen, derived.estimates);
  add_exact_costs(tree, costs, seen);
  std::vector<double> cost = costs_of(tree, seen);
  const bool are_sampled = sampling.samples && sampling.samples->taken != 0;
  if (are_sampled) {
    add_cost_of_samples(tree, seen, sampling, cost);
    fit_into_callers(tree, cost, false, seen, derived.estimates); // the fit shrinks them by all that is known
    derived.own_errors = fit_to_samples(tree, costs, sampling, cost, seen, derived.estimates);
  }
  fit_into_callers(tree, cost, true, seen, derived.estimates); // what no samples tell, and what the fit has left over
  if (derived.own_errors.each.empty()) derived.own_errors = own_errors_without_samples(tree, seen, derived.estimates);
  keep_errors_within(tree, seen, derived.own_errors);
  trust_narrow(seen, derived.estimates);
  take_out_cost(tree, seen, cost, derived, taken);
  add_probe_errors(tree, seen, derived);
  move_waits(loss, derived);
  for (std::uint32_t i = 0; i < count; ++i) derived.cost_error[i] = seen[i].cost_error;
  for (const Seen& of_node : seen) derived.tool_error += of_node.error;
  derived.tool_error = std::min(derived.tool_error, derived.exclusive[node_tool]);

  // Children stand behind their parents: in backward order every sum is complete when it is added to the parent's.
  for (std::uint32_t i = count; i-- > 0;) {
    const std::uint32_t kind = tree.node(i).kind;
    if (is_compute(kind)) derived.computation[i] += derived.exclusive[i];
    if (ANDES_KIND_IS_IDLE(kind)) derived.team_idle[i] += derived.exclusive[i];
    if (kind == ANDES_KIND_APART) derived.apart += derived.exclusive[i];
    if (ANDES_KIND_IS_COMMUNICATION(kind)) derived.communication[i] += derived.exclusive[i];
    if (kind == ANDES_KIND_IO) derived.io[i] += derived.exclusive[i];
    if (kind == ANDES_KIND_SYNCHRONISATION) derived.synchronisation[i] += derived.exclusive[i];
    derived.inclusive[i] = seen[i].inclusive() - (i == node_root ? 0 : taken[i]);
    if (i < first_free_node && i != node_root) // these nodes have no visits of their own: all their time was moved
      derived.inclusive[i] = derived.computation[i] + derived.communication[i] + derived.io[i] +
                             (kind == ANDES_KIND_TOOL ? derived.exclusive[i] : 0);
    if (kind == ANDES_KIND_PARALLEL && !is_in_parallel(tree, i)) derived.parallel += derived.inclusive[i];
    if (i == node_root) continue;
    const std::uint32_t parent = tree.node(i).parent;
    taken[parent] += taken[i];
    derived.computation[parent] += derived.computation[i];
    derived.communication[parent] += derived.communication[i];
    derived.synchronisation[parent] += derived.synchronisation[i];
    derived.team_idle[parent] += derived.team_idle[i];
    derived.io[parent] += derived.io[i];
  }
  take_out_of_recursion(tree, seen, taken, derived);
  if (derived.exclusive[node_tool] == 0) derived.tool_visits = 0;
  return derived;
}

} // namespace andes::monitor
