// Forecast: what visits have cost since the governor's last sweep, which is what they are taken to cost from now on,
// and what they would cost if they were timed in another way (governor.h). In ticks.
#pragma once
#include <cstdint>

#include "monitor/core/bounds.h"
#include "monitor/core/governor.h"

namespace andes::monitor {

inline constexpr std::uint32_t shortest_block = 8, longest_block = 1 << 16;

/// Length of blocks at which the timed visits of this call path stay within their share.
inline std::uint32_t block_length(const Governor& governor, double visits_per_tick) {
  const double length = visits_per_tick * governor.costs.sample / (governor.timed_share * governor.budget);
  if (!(length > shortest_block)) return shortest_block;
  return length < longest_block ? static_cast<std::uint32_t>(length) : longest_block;
}

/// A call path since the last sweep.
struct Recent {
  // The mean is over the ended visits of an exact call path, at a sweep with the time of the open one until then, or
  // over the latest timed visits of a sampled one.
  double visits, mean_ticks;
};

inline double visits_since_sweep(const Tree& tree, std::uint32_t node) {
  return static_cast<double>(tree.visits(node) - static_cast<std::int64_t>(tree.accounts[node].swept_visits));
}

inline Recent recent_of(const Governor& governor, const Tree& tree, std::uint32_t node) {
  const NodeAccount& account = tree.accounts[node];
  const andes_node& hot = tree.node(node);
  const double visits = visits_since_sweep(tree, node);
  if (is_sampled(hot)) {
    const double seen = tree.records[hot.record].recent_ticks;
    return {visits, at_least(seen - inner_of_timed(costs_of_kind(governor.costs, hot.kind), seen).ticks, 1)};
  }
  // Below zero where a visit has not ended that was open at the last sweep.
  const auto inclusive = static_cast<double>(static_cast<std::int64_t>(hot.inclusive_ticks - account.swept_inclusive));
  return {visits, at_least(inclusive / at_least(visits, 1) - governor.costs.inner, 1)};
}

inline double hook_of(const Governor& governor, const Tree& tree, std::uint32_t node) {
  return tree.accounts[node].by_hooks ? governor.costs.hook : 0;
}
/// The search for closed callers, per visit: not given up by timing visits less, but by closing the region.
inline double search_of(const Tree& tree, std::uint32_t node, double visits) {
  return static_cast<double>(tree.accounts[node].search_ticks) / at_least(visits, 1);
}

/// Ticks that a visit costs, in each way of timing it.
inline double exact_cost(const Governor& governor, const Tree& tree, std::uint32_t node) {
  const ProbeCosts& costs = governor.costs;
  const double pair = cost_of_pair(costs, recent_of(governor, tree, node).mean_ticks).all;
  const bool slow = is_sampled(tree.node(tree.node(node).parent)) || tree.is_pinned(node, pin_recursion);
  return (slow && costs.timed > pair ? costs.timed : pair) + hook_of(governor, tree, node);
}
/// In blocks of `k` visits.
inline double sampled_cost(const Governor& governor, const Tree& tree, std::uint32_t node, std::uint32_t k) {
  return counted_cost(governor.costs) + hook_of(governor, tree, node) + governor.costs.sample / at_least(k, 1);
}
inline double sampled_cost(const Governor& governor, const Tree& tree, std::uint32_t node) {
  return sampled_cost(governor, tree, node, tree.records[tree.node(node).record].next_block);
}

inline double cost_now(const Governor& governor, const Tree& tree, std::uint32_t node) {
  return is_sampled(tree.node(node)) ? sampled_cost(governor, tree, node) : exact_cost(governor, tree, node);
}

inline bool is_windowed(const Tree& tree, std::uint32_t node) {
  const std::uint32_t record = tree.node(node).record;
  return record != 0 && tree.records[record].windowed;
}

inline bool may_be_sampled(const Governor& governor, const Tree& tree, std::uint32_t node) {
  return governor.may_sample && !ANDES_KIND_IS_MPI(tree.node(node).kind) && tree.accounts[node].pins == 0;
}
inline bool may_be_closed(const Governor& governor, const Tree& tree, std::uint32_t node) {
  const andes_node& hot = tree.node(node);
  if (!governor.may_close || tree.is_pinned(node, pin_team)) return false;
  if (is_sampled(hot)) return !is_windowed(tree, node);
  if (ANDES_KIND_IS_MPI(hot.kind)) return tree.accounts[node].is_local;
  return tree.is_pinned(node, pin_recursion) || !governor.may_sample; // what cannot be sampled
}

/// What visits right below a call path that stay exact, as calls of MPI, cost more while it is sampled, per visit of
/// it: they take the slow path.
inline double more_below(const Governor& governor, const Tree& tree, std::uint32_t node) {
  const double more = governor.costs.timed - governor.costs.pair;
  if (more <= 0) return 0;
  double visits = 0;
  for (std::uint32_t child = tree.accounts[node].first_child; child != 0; child = tree.accounts[child].next_sibling)
    if (!is_sampled(tree.node(child)) && !may_be_sampled(governor, tree, child))
      visits += visits_since_sweep(tree, child);
  return visits * more / at_least(visits_since_sweep(tree, node), 1);
}

/// By how many ticks a visit is cheaper if the call path is sampled in blocks of `k` visits. Below 0 where these are
/// short, or where it makes calls dearer.
inline double saved_if_sampled(const Governor& governor, const Tree& tree, std::uint32_t node, std::uint32_t k) {
  return exact_cost(governor, tree, node) - more_below(governor, tree, node) - sampled_cost(governor, tree, node, k);
}
/// In blocks that its visits in the last `ticks` call for.
inline double saved_if_sampled(const Governor& governor, const Tree& tree, std::uint32_t node, const Recent& recent,
                               double ticks) {
  return saved_if_sampled(governor, tree, node, block_length(governor, recent.visits / ticks));
}
/// Of a sampled call path, in its present blocks.
inline double saved_now(const Governor& governor, const Tree& tree, std::uint32_t node) {
  return saved_if_sampled(governor, tree, node, tree.records[tree.node(node).record].next_block);
}

/// Estimates what it would cost to close each call path, for its callees: those that stay open search for their caller
/// at each visit then; others do so or are closed, too, whichever costs less.
inline void forecast_searches(const Governor& governor, const Tree& tree, double ticks) {
  for (std::uint32_t node = first_free_node; node < tree.node_count; ++node)
    store_relaxed(tree.accounts[node].searches_below, 0.0);
  for (std::uint32_t node = tree.node_count; node-- > first_free_node;) { // callees before their callers
    const double below = tree.accounts[node].searches_below;
    double share = visits_since_sweep(tree, node) * static_cast<double>(governor.known_call_ticks) / ticks;
    const bool may_close = may_be_closed(governor, tree, node) || may_be_sampled(governor, tree, node);
    if (is_windowed(tree, node) || (may_close && below < share)) share = below;
    if (share > 0) add_relaxed(tree.accounts[tree.node(node).parent].searches_below, share);
  }
}

/// Calls each(node, recent) for every node that had at least so many visits since the last sweep.
template <class Each> void for_each_visited(const Governor& governor, const Tree& tree, double fewest, Each each) {
  for (std::uint32_t node = first_free_node; node < tree.node_count; ++node) {
    const Recent recent = recent_of(governor, tree, node);
    if (recent.visits >= fewest) each(node, recent);
  }
}

/// Cost since the last sweep, without visits in windows, which have a part of the budget of their own.
inline double spent(const Governor& governor, const Tree& tree) {
  double ticks = 0;
  for (std::uint32_t node = first_free_node; node < tree.node_count; ++node) {
    ticks += static_cast<double>(tree.accounts[node].search_ticks); // of polls that are closed, too
    if (is_windowed(tree, node)) continue;
    const double visits = visits_since_sweep(tree, node);
    if (visits > 0) ticks += visits * cost_now(governor, tree, node);
  }
  return ticks;
}

} // namespace andes::monitor
