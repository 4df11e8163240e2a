#include "monitor/finish/derive.h"

#include <algorithm>
#include <cmath>

namespace andes::monitor {
namespace {

constexpr double small = 0.1; // of an estimate: an unreliable part no larger than this does not spoil it
// By the rule of three no kind of visits that is one in a hundred or more has then been missed, with 95 % probability.
constexpr double enough_to_tell = 300;
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

/// Visits of a node since the measured interval began, by the way of timing.
struct Visits {
  double exact, sampled, timed; // timed: those of the sampled visits that were timed
  double in_windows, timed_in_windows;
};

Visits visits_of(const Tree& tree, std::uint32_t node) {
  const auto all = static_cast<double>(tree.visits(node) - tree.accounts[node].visits_before);
  const auto sampled = static_cast<double>(sampled_visits(tree, node));
  const std::uint32_t record = tree.node(node).record;
  if (record == 0) return {all, 0, 0, 0, 0};
  const WindowSums& windows = tree.records[record].windows;
  const auto in_windows = static_cast<double>(windows.visits);
  return {std::max(0.0, all - sampled - in_windows), sampled, static_cast<double>(tree.records[record].sample.timed),
          in_windows, static_cast<double>(windows.timed)};
}

/// The measured times of a node, before costs are taken out.
struct Seen {
  double certain = 0;   // time in exact visits, here or below
  double estimated = 0; // rest of the time of sampled visits
  double inner = 0;     // cost of the node's own probes within `certain`
  double outer = 0;     // the same, in the time of its caller
  double visits = 0, visits_error = 0;
  double of_windows = 0; // the part of `estimated` from windows: time without that of closed callees
  double in_windows = 0; // cost that all visits would have had if the region had been open as in windows
  double exact = 0;        // visits that were timed one by one
  double error = 0;        // of `inner` and `outer`
  double cost_error = 0;   // of the cost that timed visits had, taken out of the estimate for all visits
  double while_closed = 0; // cost of visits outside of windows, within the time of the nearest exact caller
  bool trust_samples = true, trust_windows = true; // what is from either can be relied on
  bool is_unknown = false; // some visits are neither timed nor like others that were: their time is the caller's
  bool is_few = false;     // so few visits were timed at all that only the caller's time bounds the others
  double as_exact = 0;     // where few of the estimated visits were timed: their time, had they lasted as exact ones

  double inclusive() const { return certain + estimated; }
};

// What a visit that is counted, or timed as a sample, costs depends on the code around it by about this share.
constexpr double share_of_surroundings = 0.5;

/// Visits that an estimate is made from: `measured`, of which some were `timed`, each of these at such a `cost`.
struct Measured {
  double measured, timed, cost;
};

/// Every timed visit contains a part of its own probe. Of the estimate, `visits` are taken to contain it, too.
void add_sampled(Seen& seen, const Estimate& estimate, double visits, const Measured& of, const ProbeCosts& costs) {
  const InnerCost each = inner_of_timed(costs, visits > 0 ? estimate.total / visits : 0);
  const double cost = visits * each.ticks, left = std::max(0.0, estimate.total - cost);
  seen.estimated += left;
  // Of visits shorter than their probe, all of it may have run in their shadow.
  const double shadow = cost > 0 ? std::max(0.0, 1 - left / cost) : 0;
  seen.cost_error +=
      std::min(std::max((share_of_surroundings + (1 - share_of_surroundings) * shadow) * cost, visits * each.error()),
               estimate.total);
  const double inner = of.timed * each.ticks;
  seen.certain += inner;
  seen.inner += inner;
  const double outer = (of.measured - of.timed) * counted_cost(costs) + of.timed * std::max(0.0, of.cost - each.ticks);
  seen.outer += outer;
  seen.error += share_of_surroundings * (inner + outer);
}

Estimate known(const Estimate& estimate) { // if no visit was timed, all time stays with the caller
  return std::isnan(estimate.total) ? Estimate{} : estimate;
}

/// Mean time of the visits before those that are asked for, without their probes' cost; `all` is their number.
double ticks_before(const Tree& tree, std::uint32_t node, const Visits& visits, double all, const Seen& seen,
                    const ProbeCosts& costs) {
  const auto exact = static_cast<double>(tree.node(node).inclusive_ticks + tree.node(node).inside_ticks);
  // With the caller's time between visits, which is not known here, it would be that among work more often.
  const double inner = visits.exact > 0 ? visits.exact * cost_of_pair(costs, exact / visits.exact).inner : 0;
  return std::max(0.0, seen.inclusive() - seen.inner - inner) / all;
}

/// For a call path of a closed region that no window has looked at, as the thread ended before the first one: it is
/// taken to have gone on as before, with an error as large as what is added.
WindowEstimate without_windows(const Tree& tree, double visits, double ticks_each, double closed_ns,
                               const ProbeCosts& costs) {
  WindowEstimate result;
  const double closed = closed_ns * costs.ticks_per_ms / 1e6;
  const double open = static_cast<double>(tree.node(node_root).inclusive_ticks) - closed;
  if (!(closed > 0) || !(open > 0)) return result;
  result.visits = result.visits_error = closed / open * visits;
  result.ticks = guess(result.visits * ticks_each);
  return result;
}

TimedVisits timed_visits(const SampleRecord& record) {
  const Sample& sample = record.sample;
  const WindowSums& windows = record.windows;
  const auto timed = static_cast<double>(sample.timed);
  return {.count = timed + static_cast<double>(windows.timed),
          .ticks = (timed > 0 ? sample.ticks / sample.visits * timed : 0) + windows.ticks + windows.below_ticks,
          .waits = static_cast<double>(record.interrupted.count),
          .wait_ticks = record.interrupted.ticks,
          .wait_squares = record.interrupted.squares};
}

/// The loss of the tree's thread, as its timed visits suggest it.
CoreLoss adjusted(const CoreLoss& loss, const Tree& tree) {
  std::vector<TimedVisits> paths;
  for (std::uint32_t i = 1; i < tree.record_count; ++i) paths.push_back(timed_visits(tree.records[i]));
  return andes::monitor::adjusted(loss, paths);
}

void add_core_waits(Seen& seen, Estimate& estimate, const SampleRecord& record, double visits, const CoreLoss& loss) {
  const AddedWaits waits = waits_in(loss, timed_visits(record), visits, seen.estimated);
  const double factor = seen.estimated > 0 ? 1 + waits.ticks / seen.estimated : 1,
               error = 1.96 * std::sqrt(waits.variance);
  seen.estimated += waits.ticks;
  estimate.total += waits.ticks;
  estimate.variance = factor * factor * estimate.variance + waits.variance;
  estimate.below = std::min(std::hypot(factor * estimate.below, error), estimate.total);
  estimate.above = std::hypot(factor * estimate.above, error);
  estimate.reliable = estimate.reliable && waits.is_reliable;
}

Seen seen_of(const Tree& tree, std::uint32_t node, const ProbeCosts& costs, const CoreLoss& loss, Estimate& estimate) {
  const andes_node& hot = tree.node(node);
  const Visits visits = visits_of(tree, node);
  Seen seen;
  seen.certain = static_cast<double>(hot.inclusive_ticks + hot.inside_ticks);
  seen.visits = static_cast<double>(tree.visits(node)) - visits.in_windows;
  if (node == node_root) return seen;
  seen.exact = visits.exact;
  const double exact_each = visits.exact > 0 ? ticks_before(tree, node, visits, visits.exact, seen, costs) : 0;
  if (tree.accounts[node].by_hooks) seen.outer += (visits.exact + visits.sampled + visits.in_windows) * costs.hook;
  if (hot.record == 0) return seen;
  const SampleRecord& record = tree.records[hot.record];
  Estimate sampled = {0, 0, 0, 0, true};
  if (visits.sampled != 0) {
    sampled = andes::monitor::estimate(record.sample, visits.sampled);
    double with_probe = visits.sampled;
    if (std::isnan(sampled.total)) {
      const double exact = visits.exact;
      seen.is_unknown = exact <= 0;
      sampled = exact > 0 ? guess(visits.sampled * ticks_before(tree, node, visits, exact, seen, costs)) : Estimate{};
      with_probe = 0;
    }
    add_sampled(seen, sampled, with_probe, {visits.sampled, visits.timed, costs.sample}, costs);
  }
  WindowEstimate in_windows = andes::monitor::estimate(record.windows);
  double with_probe = in_windows.visits;
  const double before = visits.exact + visits.sampled;
  if (!seen.is_unknown && before > 0 && (record.windows.windows == 0 || std::isnan(in_windows.ticks.total))) {
    const double ticks_each = ticks_before(tree, node, visits, before, seen, costs);
    if (record.windows.windows == 0)
      in_windows = without_windows(tree, before, ticks_each, record.windows.cpu_ns, costs);
    else in_windows.ticks = guess(in_windows.visits * ticks_each); // none was timed: taken to be as those before
    with_probe = 0;
  }
  seen.is_unknown = seen.is_unknown || std::isnan(in_windows.ticks.total);
  const double of_samples = seen.estimated;
  add_sampled(seen, known(in_windows.ticks), with_probe, {visits.in_windows, visits.timed_in_windows, costs.timed},
              costs);
  seen.of_windows = seen.estimated - of_samples;
  seen.visits += std::max(in_windows.visits, visits.in_windows);
  seen.visits_error = in_windows.visits_error;
  seen.while_closed = std::max(0.0, in_windows.visits - visits.in_windows) * costs.closed;
  if (visits.in_windows > 0)
    seen.in_windows = cost_in_windows(costs, tree.accounts[node].by_hooks, in_windows.visits,
                                      in_windows.visits * visits.timed_in_windows / visits.in_windows);
  const Estimate of_closed = known(in_windows.ticks);
  seen.trust_samples = sampled.reliable;
  seen.trust_windows = of_closed.reliable;
  estimate = sum_of(within_itself(sampled), within_itself(of_closed));
  const double visited = visits.sampled + in_windows.visits;
  if (estimate.few) {
    seen.is_few = visits.exact + visits.timed + visits.timed_in_windows < enough_to_tell;
    seen.as_exact = visited * exact_each;
  }
  estimate.reliable = true;
  if (visited > 0) add_core_waits(seen, estimate, record, visited, loss);
  if (!estimate.reliable) seen.trust_samples = seen.trust_windows = false;
  return seen;
}

/// Adds the cost of exact visits, which depends on the time between them.
void add_exact_costs(const Tree& tree, const ProbeCosts& costs, std::vector<Seen>& seen) {
  // Own times, and numbers of stretches of own time between probes.
  std::vector<double> own(seen.size()), stretches(seen.size());
  for (std::uint32_t i = 0; i < seen.size(); ++i) {
    own[i] += seen[i].inclusive() + static_cast<double>(tree.accounts[i].moved_ticks);
    stretches[i] += seen[i].visits;
    if (i == node_root) continue;
    own[tree.node(i).parent] -= seen[i].inclusive();
    stretches[tree.node(i).parent] += seen[i].visits;
  }
  const auto between = [&](std::uint32_t i) { return stretches[i] > 0 ? std::max(0.0, own[i]) / stretches[i] : 0; };
  const double drift = costs.pair > 0 ? costs.error / costs.pair : 0;
  for (std::uint32_t i = first_free_node; i < seen.size(); ++i) {
    const PairCost cost = cost_of_pair(costs, between(i) + between(tree.node(i).parent));
    seen[i].inner += seen[i].exact * cost.inner;
    seen[i].outer += seen[i].exact * (cost.all - cost.inner);
    seen[i].error += seen[i].exact * std::max(cost.error(), drift * cost.all);
  }
}

const WindowSums& windows_of(const Tree& tree, std::uint32_t node) {
  return tree.records[tree.node(node).record].windows;
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
  const double error = (estimate.below + estimate.above) / 2 / 1.96;
  estimate.variance = std::min(estimate.variance, error * error);
}

/// Shrinks estimates that together exceed their caller's time: the sum of the parts and of the monitor's cost
/// between them is never more than the whole.
void fit_into_callers(const Tree& tree, const std::vector<double>& cost, std::vector<Seen>& seen,
                      std::vector<Estimate>& estimates) {
  std::vector<double> certain(seen.size()), estimated(seen.size()), most(seen.size()), factor(seen.size(), 1.0);
  for (std::uint32_t i = 1; i < seen.size(); ++i) {
    certain[tree.node(i).parent] += seen[i].certain;
    estimated[tree.node(i).parent] += seen[i].estimated;
  }
  for (std::uint32_t i = 0; i < seen.size(); ++i) {
    if (i != node_root) {
      const std::uint32_t parent = tree.node(i).parent;
      seen[i].estimated *= factor[parent];
      estimates[i].total *= factor[parent];
      if (seen[i].is_unknown || (seen[i].is_few && !estimates[i].reliable)) { // no more than its caller has room for
        estimates[i].above = most[parent];
        estimates[i].variance = most[parent] * most[parent];
      }
      keep_below(estimates[i], most[parent]);
    }
    const double room =
        std::max(0.0, seen[i].inclusive() + static_cast<double>(tree.accounts[i].moved_ticks) - certain[i] - cost[i]);
    most[i] = room + estimates[i].above;
    if (estimated[i] > room) factor[i] = room / estimated[i]; // estimated > room >= 0: never 0 / 0
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
  for (std::uint32_t i = 0; i < seen.size(); ++i) {
    derived.exclusive[i] += seen[i].inclusive() + static_cast<double>(tree.accounts[i].moved_ticks);
    if (i != node_root) derived.exclusive[tree.node(i).parent] -= seen[i].inclusive();
  }
  for (std::uint32_t i = 0; i < seen.size(); ++i) {
    if (i == node_tool) continue;
    taken[i] = std::min(cost[i], std::max(0.0, derived.exclusive[i]));
    derived.exclusive[i] -= taken[i];
    if (std::abs(derived.exclusive[i]) < least_ticks) derived.exclusive[i] = 0; // only rounding is left
    derived.exclusive[node_tool] += taken[i];
  }
}

} // namespace

Derived derive(const Tree& tree, const ProbeCosts& costs, const CoreLoss& of_thread) {
  const std::uint32_t count = tree.node_count;
  Derived derived;
  for (auto* column : {&derived.inclusive, &derived.exclusive, &derived.computation, &derived.communication,
                       &derived.synchronisation, &derived.team_idle, &derived.io})
    column->resize(count);
  derived.estimates.resize(count);
  derived.visits.resize(count);
  derived.visits_error.resize(count);
  derived.cost_error.resize(count);
  const CoreLoss loss = adjusted(of_thread, tree);
  std::vector<Seen> seen(count);
  std::vector<double> taken(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    seen[i] = seen_of(tree, i, costs, loss, derived.estimates[i]);
    derived.visits[i] = seen[i].visits;
    derived.visits_error[i] = seen[i].visits_error;
    derived.cost_error[i] = seen[i].cost_error;
    if (i != node_root && i != node_tool) derived.tool_visits += tree.visits(i);
  }
  add_callees(tree, seen, derived.estimates);
  add_exact_costs(tree, costs, seen);
  const std::vector<double> cost = costs_of(tree, seen);
  fit_into_callers(tree, cost, seen, derived.estimates);
  trust_narrow(seen, derived.estimates);
  take_out_cost(tree, seen, cost, derived, taken);
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
  if (derived.exclusive[node_tool] == 0) derived.tool_visits = 0;
  return derived;
}

} // namespace andes::monitor
