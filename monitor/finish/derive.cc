#include "monitor/finish/derive.h"

#include <algorithm>
#include <cmath>

namespace andes {
namespace {

bool is_compute(std::uint32_t kind) {
  return !ANDES_KIND_IS_MPI(kind) && !ANDES_KIND_IS_IDLE(kind) && kind != ANDES_KIND_TOOL;
}

bool is_in_parallel(const Tree& tree, std::uint32_t node) {
  while ((node = tree.node(node).parent) != ANDES_NOWHERE)
    if (tree.node(node).kind == ANDES_KIND_PARALLEL) return true;
  return false;
}

/// Visits of a node since the measured interval began, by the way they were timed.
struct Visits {
  double exact, sampled, timed; // timed: of the sampled ones
};

Visits visits_of(const Tree& tree, std::uint32_t node) {
  const auto all = static_cast<double>(tree.visits(node) - tree.accounts[node].visits_before);
  const auto sampled = static_cast<double>(sampled_visits(tree, node));
  const std::uint32_t record = tree.node(node).record;
  return {std::max(0.0, all - sampled), sampled,
          record == 0 ? 0.0 : static_cast<double>(tree.records[record].sample.timed)};
}

/// What the clock saw of a node, before anything is taken out.
struct Seen {
  double certain = 0;   // timed one by one, here or further down
  double estimated = 0; // the rest of the sampled visits
  double inner = 0;     // cost of the node's own probes that `certain` contains
  double outer = 0;     // the same, in the time of its caller

  double inclusive() const { return certain + estimated; }
};

Seen seen_of(const Tree& tree, std::uint32_t node, const ProbeCosts& costs, Estimate& estimate) {
  const andes_node& hot = tree.node(node);
  const Visits visits = visits_of(tree, node);
  Seen seen;
  seen.certain = static_cast<double>(hot.inclusive_ticks + hot.inside_ticks);
  if (node == node_root) return seen;
  seen.inner = visits.exact * costs.inner;
  seen.outer = visits.exact * (costs.pair - costs.inner);
  if (tree.accounts[node].by_hooks) seen.outer += (visits.exact + visits.sampled) * costs.hook;
  if (visits.sampled == 0) return seen;
  estimate = andes::estimate(tree.records[hot.record].sample, visits.sampled);
  if (std::isnan(estimate.total)) estimate = {}; // none was timed: all of it stays with the caller
  // Every timed visit contains its own probe's cost, but only timed visits had it.
  seen.estimated = std::max(0.0, estimate.total - visits.sampled * costs.sample_inner);
  const double inner = visits.timed * costs.sample_inner;
  seen.certain += inner;
  seen.inner += inner;
  seen.outer += (visits.sampled - visits.timed) * costs.sampled +
                visits.timed * (costs.sample - costs.sample_inner);
  return seen;
}

/// Shrinks estimates that together exceed what their caller leaves them: a sum of parts is never more
/// than the whole.
void fit_into_callers(const Tree& tree, std::vector<Seen>& seen, std::vector<Estimate>& estimates) {
  std::vector<double> certain(seen.size()), estimated(seen.size()), factor(seen.size(), 1.0);
  for (std::uint32_t i = 1; i < seen.size(); ++i) {
    certain[tree.node(i).parent] += seen[i].certain;
    estimated[tree.node(i).parent] += seen[i].estimated;
  }
  for (std::uint32_t i = 0; i < seen.size(); ++i) {
    if (i != node_root) {
      const double shrunk = factor[tree.node(i).parent];
      seen[i].estimated *= shrunk;
      estimates[i].total *= shrunk;
    }
    const double room = std::max(
        0.0, seen[i].inclusive() + static_cast<double>(tree.accounts[i].moved_ticks) - certain[i]);
    if (estimated[i] > room) factor[i] = room / estimated[i]; // more than none: never 0 / 0
  }
}

/// Exclusive times with the probes' cost taken out, and per node what was taken out of it.
void take_out_cost(const Tree& tree, const std::vector<Seen>& seen, Derived& derived,
                   std::vector<double>& taken) {
  std::vector<double> cost(seen.size());
  for (std::uint32_t i = 0; i < seen.size(); ++i) {
    derived.exclusive[i] += seen[i].inclusive() + static_cast<double>(tree.accounts[i].moved_ticks);
    cost[i] += seen[i].inner + static_cast<double>(tree.accounts[i].tool_ticks);
    if (i == node_root) continue;
    derived.exclusive[tree.node(i).parent] -= seen[i].inclusive();
    cost[tree.node(i).parent] += seen[i].outer;
  }
  for (std::uint32_t i = 0; i < seen.size(); ++i) {
    if (i == node_tool) continue;
    taken[i] = std::min(cost[i], std::max(0.0, derived.exclusive[i]));
    derived.exclusive[i] -= taken[i];
    derived.exclusive[node_tool] += taken[i];
  }
}

} // namespace

Derived derive(const Tree& tree, const ProbeCosts& costs) {
  const std::uint32_t count = tree.node_count;
  Derived derived;
  for (auto* column : {&derived.inclusive, &derived.exclusive, &derived.computation,
                       &derived.communication, &derived.synchronisation, &derived.team_idle})
    column->resize(count);
  derived.estimates.resize(count);
  std::vector<Seen> seen(count);
  std::vector<double> taken(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    seen[i] = seen_of(tree, i, costs, derived.estimates[i]);
    if (i != node_root && i != node_tool) derived.tool_visits += tree.visits(i);
  }
  fit_into_callers(tree, seen, derived.estimates);
  take_out_cost(tree, seen, derived, taken);

  // Children stand behind their parents: backwards, every sum is complete when it is handed up.
  for (std::uint32_t i = count; i-- > 0;) {
    const std::uint32_t kind = tree.node(i).kind;
    if (is_compute(kind)) derived.computation[i] += derived.exclusive[i];
    if (ANDES_KIND_IS_IDLE(kind)) derived.team_idle[i] += derived.exclusive[i];
    if (kind == ANDES_KIND_APART) derived.apart += derived.exclusive[i];
    if (ANDES_KIND_IS_MPI(kind)) derived.communication[i] += derived.exclusive[i];
    if (kind == ANDES_KIND_SYNCHRONISATION) derived.synchronisation[i] += derived.exclusive[i];
    derived.inclusive[i] = seen[i].inclusive() - (i == node_root ? 0 : taken[i]);
    if (i < first_free_node && i != node_root) // no visits of their own: all their time was moved
      derived.inclusive[i] = derived.computation[i] + derived.communication[i] +
                             (kind == ANDES_KIND_TOOL ? derived.exclusive[i] : 0);
    if (kind == ANDES_KIND_PARALLEL && !is_in_parallel(tree, i)) derived.parallel += derived.inclusive[i];
    if (i == node_root) continue;
    const std::uint32_t parent = tree.node(i).parent;
    taken[parent] += taken[i];
    derived.computation[parent] += derived.computation[i];
    derived.communication[parent] += derived.communication[i];
    derived.synchronisation[parent] += derived.synchronisation[i];
    derived.team_idle[parent] += derived.team_idle[i];
  }
  if (derived.exclusive[node_tool] == 0) derived.tool_visits = 0;
  return derived;
}

} // namespace andes
