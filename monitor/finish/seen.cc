#include "monitor/finish/seen.h"

#include <algorithm>
#include <cmath>

namespace andes::monitor {
namespace {

// By the rule of three no kind of visits that is one in a hundred or more has then been missed, with 95 % probability.
constexpr double enough_to_tell = 300;

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

// What a visit that is counted, or timed as a sample, costs depends on the code around it by about this share.
constexpr double share_of_surroundings = 0.5;

// A processor that executes a reading of the clock before the operations in front of it have ended hides as much of
// their time from the visit, in terms of a pair alone. Measured (docs/measurements/2026-11-probes.md, "What exact runs
// tell of functions of nanoseconds"; decision 300).
// The kernel reads its own clocks behind a fence, so that they wait for that work.
constexpr double ahead_of_work = 2;

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

/// Whether the thread has had a core in any window: those before the end of a short run, or on a busy machine, may all
/// have opened and closed while it had none.
bool tell_anything(const WindowSums& windows) { return windows.windows > 0 && windows.sum[window_cpu] > 0; }

/// For a call path of a closed region of which no window tells anything: it is taken to have gone on as before, with an
/// error as large as what is added. It may have been at work in all of the time, if nothing was before.
WindowEstimate without_windows(const Tree& tree, double visits, double ticks_each, double closed_ns,
                               const ProbeCosts& costs) {
  WindowEstimate result;
  const double closed = closed_ns * costs.ticks_per_ms / 1e6;
  const double open = static_cast<double>(tree.node(node_root).inclusive_ticks) - closed;
  if (!(closed > 0) || !(open > 0)) return result;
  result.visits = closed / open * visits;
  const double most = closed / std::max(1.0, ticks_each + costs.closed);
  result.visits_error = {result.visits, std::max(result.visits, most - result.visits)};
  result.ticks = guess(result.visits * ticks_each);
  return result;
}

// Windows with visits of a call path up to which their differences tell little (decision 294): there may be none.
constexpr std::uint32_t few_windows = 4;

/// Of n chances, of which `k` were taken, not more than this many may be expected to be, with 95 % probability: none
/// taken is the rule of three (Hanley and Lippman-Hand, JAMA 249, 1983), others the upper limit of a Poisson mean.
double most_chances(std::uint32_t k) { return k == 0 ? 3 : k + 2 + 1.96 * std::sqrt(k + 1.0); }

/// Nor less than this many: the lower limit of the Poisson mean, half of the 2.5 % quantile of chi square of 2 k
/// degrees of freedom (F. Garwood, Biometrika 28, 1936).
double least_chances(std::uint32_t k) {
  constexpr double limits[few_windows + 1] = {0, 0.0253, 0.2422, 0.6187, 1.0899};
  return limits[k];
}

/// Windows while a call path's region was closed, and those of them that have seen it.
struct Chances {
  std::uint32_t windows, visited;
  double cpu_ns; // time of the thread meanwhile
};

Chances chances_of(const Tree& tree, std::uint32_t node) {
  const std::uint32_t record = tree.node(node).record, since = tree.accounts[node].unseen_since;
  if (record != 0 && tree.records[record].windows.windows != 0) {
    const WindowSums& windows = tree.records[record].windows;
    return {windows.windows, windows.visited, windows.cpu_ns};
  }
  const WindowSums& all = tree.unvisited;
  if (since == 0 || all.windows < since) return {};
  const std::uint32_t windows = all.windows - since + 1;
  return {windows, 0, all.cpu_ns * windows / all.windows};
}

/// The most visits of a call path of a closed region that few windows have seen, or none: it is at work in so much of
/// the time, and in so many of its caller's visits where windows have seen those. `visits` before the closing took
/// `ticks_each`.
double most_visits(const Tree& tree, std::uint32_t node, double visits, double ticks_each, const ProbeCosts& costs) {
  const Chances windows = chances_of(tree, node);
  const auto share = [&](double chances) { return std::min(1.0, most_chances(windows.visited) / chances); };
  const double closed = windows.cpu_ns * costs.ticks_per_ms / 1e6;
  const double in_time = share(windows.windows) * closed / std::max(1.0, ticks_each + costs.closed);
  const std::uint32_t parent = tree.node(node).parent;
  const std::uint32_t record = tree.node(parent).record;
  if (windows.visited > 0 || record == 0 || tree.records[record].windows.visited == 0) return in_time;
  const WindowSums& of_parent = tree.records[record].windows;
  const double as_long = std::min(1.0, static_cast<double>(windows.windows) / of_parent.windows);
  const double chances = as_long * of_parent.visited; // visits in a window are alike: they are one
  const double before = visits_of(tree, parent).exact + visits_of(tree, parent).sampled;
  const double each = before > 0 ? std::max(1.0, visits / before) : 1; // in a visit of the caller that makes any
  return std::min(in_time, share(chances) * as_long * andes::monitor::estimate(of_parent).visits * each);
}

TimedVisits timed_visits(const SampleRecord& record) {
  const Sample& sample = record.sample;
  const WindowSums& windows = record.windows;
  const auto timed = static_cast<double>(sample.timed);
  return {.count = timed + static_cast<double>(windows.timed + windows.within),
          .ticks = (timed > 0 ? sample.ticks / sample.visits * timed : 0) + windows.ticks + windows.below_ticks,
          .waits = static_cast<double>(record.interrupted.count),
          .wait_ticks = record.interrupted.ticks,
          .wait_squares = record.interrupted.squares};
}

void add_core_waits(Seen& seen, Estimate& estimate, const SampleRecord& record, double visits, const CoreLoss& loss) {
  const AddedWaits waits = waits_in(loss, timed_visits(record), visits, seen.estimated);
  const double factor = seen.estimated > 0 ? 1 + waits.ticks / seen.estimated : 1,
               error = 1.96 * std::sqrt(waits.variance);
  seen.estimated += waits.ticks;
  seen.waits_variance = waits.variance;
  estimate.total += waits.ticks;
  estimate.variance = factor * factor * estimate.variance + waits.variance;
  estimate.below = std::min(std::hypot(factor * estimate.below, error), estimate.total);
  estimate.above = std::hypot(factor * estimate.above, error);
  estimate.reliable = estimate.reliable && waits.is_reliable;
}

} // namespace

CoreLoss adjusted(const CoreLoss& loss, const Tree& tree) {
  std::vector<TimedVisits> paths;
  for (std::uint32_t i = 1; i < tree.record_count; ++i) paths.push_back(timed_visits(tree.records[i]));
  return andes::monitor::adjusted(loss, paths);
}

Interrupts interrupts_of(const Tree& tree, double ticks_per_us) {
  Interrupts interrupts;
  for (std::uint32_t i = 1; i < tree.record_count; ++i) add(interrupts, tree.records[i].sample, ticks_per_us);
  return interrupts;
}

Seen seen_of(const Tree& tree, std::uint32_t node, const ProbeCosts& of_all, const CoreLoss& loss,
             const Interrupts& interrupts, Estimate& estimate) {
  const andes_node& hot = tree.node(node);
  const ProbeCosts costs = costs_of_kind(of_all, hot.kind);
  const Visits visits = visits_of(tree, node);
  Seen seen;
  seen.certain = static_cast<double>(hot.inclusive_ticks + hot.inside_ticks);
  seen.visits = static_cast<double>(tree.visits(node)) - visits.in_windows;
  if (node == node_root) return seen;
  seen.exact = visits.exact;
  const double exact_each = visits.exact > 0 ? ticks_before(tree, node, visits, visits.exact, seen, costs) : 0;
  if (tree.accounts[node].by_hooks) seen.outer += (visits.exact + visits.sampled + visits.in_windows) * costs.hook;
  if (hot.record == 0) {
    if (chances_of(tree, node).windows > 0)
      seen.visits_error.above = most_visits(tree, node, visits.exact, exact_each, costs);
    return seen;
  }
  const SampleRecord& record = tree.records[hot.record];
  Estimate sampled = {0, 0, 0, 0, true};
  if (visits.sampled != 0) {
    sampled = andes::monitor::estimate(record.sample, visits.sampled);
    const double missed = may_have_missed(interrupts, record.sample, visits.sampled, costs.ticks_per_ms / 1e3);
    sampled.above = std::hypot(sampled.above, missed);
    if (!sampled.few && are_met_by_others(interrupts, record.sample, costs.ticks_per_ms / 1e3)) sampled.reliable = true;
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
  double with_probe = in_windows.visits * share_by_themselves(record.windows);
  const double before = visits.exact + visits.sampled;
  const bool is_unseen = !tell_anything(record.windows);
  const bool is_known = !seen.is_unknown && before > 0;
  const double ticks_each = is_known ? ticks_before(tree, node, visits, before, seen, costs) : 0;
  if (is_known && (is_unseen || std::isnan(in_windows.ticks.total))) {
    if (is_unseen) in_windows = without_windows(tree, before, ticks_each, record.windows.cpu_ns, costs);
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
  seen.visits_cost = in_windows.visits_cost;
  if (!is_unseen && record.windows.visited <= few_windows) {
    // Where none before the closing tells how long they are, those that were timed do.
    const bool tells = !(ticks_each > 0) && record.windows.timed > 0;
    const double each = tells ? std::max(0.0, mean_ticks(record.windows)) : ticks_each;
    const double most = most_visits(tree, node, before, each, costs) - in_windows.visits;
    seen.visits_error.above = std::max(seen.visits_error.above, most);
    const std::uint32_t visited = record.windows.visited;
    const double missing = visited > 0 ? 1 - least_chances(visited) / visited : 0;
    const double unseen = std::max(0.0, in_windows.visits - visits.in_windows);
    seen.visits_error.below = std::max(seen.visits_error.below, std::min(unseen, missing * in_windows.visits));
    limit_below(seen.visits_error, seen.visits_cost, unseen);
  }
  if (record.windows.windows == 0 && chances_of(tree, node).windows > 0) { // since its region was opened again
    const double most = most_visits(tree, node, before, ticks_each, costs);
    seen.visits_error.above = std::max(seen.visits_error.above, most);
  }
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

double variance_of(const Seen& seen, const Estimate& estimate) {
  const double of_interval = (estimate.below + estimate.above) / 2 / half_interval,
               of_cost = seen.cost_error / half_interval;
  return std::max(estimate.variance, of_interval * of_interval) + of_cost * of_cost;
}

std::vector<double> own_times(const Tree& tree, const std::vector<Seen>& seen) {
  std::vector<double> own(seen.size());
  for (std::uint32_t i = 0; i < seen.size(); ++i) {
    own[i] += seen[i].inclusive() + static_cast<double>(tree.accounts[i].moved_ticks);
    if (i != node_root) own[tree.node(i).parent] -= seen[i].inclusive();
  }
  return own;
}

std::vector<double> exact_times(const Tree& tree, const std::vector<Seen>& seen) {
  std::vector<double> times(seen.size());
  for (std::uint32_t i = 0; i < seen.size(); ++i)
    times[i] = was_estimated(tree, i) ? times[tree.node(i).parent] : std::max(0.0, seen[i].inclusive());
  return times;
}

void add_exact_costs(const Tree& tree, const ProbeCosts& costs, std::vector<Seen>& seen) {
  const std::vector<double> own = own_times(tree, seen);
  std::vector<double> stretches(seen.size()); // of own time, between probes
  for (std::uint32_t i = 0; i < seen.size(); ++i) {
    stretches[i] += seen[i].visits;
    if (i != node_root) stretches[tree.node(i).parent] += seen[i].visits;
  }
  const auto between = [&](std::uint32_t i) { return stretches[i] > 0 ? std::max(0.0, own[i]) / stretches[i] : 0; };
  const double drift = costs.pair > 0 ? costs.error / costs.pair : 0;
  for (std::uint32_t i = first_free_node; i < seen.size(); ++i) {
    const PairCost cost =
        cost_of_pair(costs_of_kind(costs, tree.node(i).kind), between(i) + between(tree.node(i).parent));
    seen[i].exact_each = cost.all;
    seen[i].inner += seen[i].exact * cost.inner;
    seen[i].outer += seen[i].exact * (cost.all - cost.inner);
    const double error = std::max(cost.error(), drift * cost.all);
    seen[i].error += seen[i].exact * error;
    const double ahead = (costs.fenced_clock ? 0 : ahead_of_work) * costs.pair;
    seen[i].probe_error = seen[i].exact * std::max(error, ahead);
    // Visits of which some were timed hide as much; it is their caller's, or they have as much of his.
    const double room = std::max(seen[i].estimated, own[tree.node(i).parent]);
    seen[i].cost_error = std::max(seen[i].cost_error, std::min((seen[i].visits - seen[i].exact) * ahead, room));
  }
}

} // namespace andes::monitor
