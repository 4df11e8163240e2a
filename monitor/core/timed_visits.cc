#include "monitor/core/timed_visits.h"

#include "monitor/core/bounds.h"
#include "monitor/core/window_part.h"

namespace andes::monitor {
namespace {

constexpr std::int64_t next_in_windows = 16'384; // in those a visit that is due is dearer
constexpr std::uint32_t warm_up = 2; // visits before the one that is timed
constexpr double forget = 1.0 / 16; // weight of a new duration in the running mean

} // namespace

void begin_sample(Tree& tree, std::uint32_t node) {
  SampleRecord& record = tree.records[tree.node(node).record];
  if (record.windowed) {
    set_countdown(tree, node, next_in_windows);
    const bool has_clusters = load_relaxed(record.part.apart) != 0 && load_relaxed(record.clusters_left) != 0;
    if (has_clusters && !load_relaxed(record.awaits_first)) time_next(tree, record, cluster_warm_up, cluster_visits);
    return;
  }
  record.block = record.blocks.k;
  set_countdown(tree, node, next_gap(record.blocks, record.next_block));
  time_next(tree, record, warm_up, 1);
}

double ticks_below(const Tree& tree, std::uint32_t node, const ProbeCosts& costs) {
  double ticks = 0;
  for (std::uint32_t child = tree.accounts[node].first_child; child != 0; child = tree.accounts[child].next_sibling) {
    if (tree.node(child).record == 0) continue; // its visits are timed one by one and no part of the caller's time
    SampleRecord& record = tree.records[tree.node(child).record];
    if (record.windowed) {
      const std::int64_t now = visits_from_outside(tree, child), visits = now - load_relaxed(record.visits_marked);
      store_relaxed(record.visits_marked, now);
      if (visits <= 0) continue;
      if (record.windows.timed > 0) {
        const double seen = record.windows.ticks / static_cast<double>(record.windows.timed);
        ticks += static_cast<double>(visits) *
                 (seen - inner_of_timed(costs_of_kind(costs, tree.node(child).kind), seen).ticks);
      }
    }
    ticks += ticks_below(tree, child, costs);
  }
  return ticks;
}

namespace {

// How many visits pass before the next cluster, if the part has any more.
void await_cluster(Tree& tree, SampleRecord& record) {
  const std::uint32_t apart = load_relaxed(record.part.apart);
  time_next(tree, record, 0, 0);
  if (apart != 0) set_countdown(tree, record.node, random_below(record.blocks.random, 2 * apart) + 1);
}

// Whether the visit only brings the code into the caches: counts it down.
bool warms_up(SampleRecord& record) {
  const std::uint32_t left = load_relaxed(record.warm_up);
  if (left != 0) store_relaxed(record.warm_up, left - 1);
  return left != 0;
}

// Whether the visit, in a part with clusters, is the first of the part or of a cluster.
bool begins_cluster(Tree& tree, SampleRecord& record) {
  if (load_relaxed(record.awaits_first)) {
    store_relaxed(record.awaits_first, false);
    await_cluster(tree, record);
    return true;
  }
  return warms_up(record);
}

// Of a call path whose region is closed; returns whether the visit counts.
bool window_visit_ended(Tree& tree, SampleRecord& record, const TimedVisit& visit) {
  const std::uint32_t left = load_relaxed(record.timed_left);
  const auto offset = static_cast<std::int64_t>(visit.begin_ticks - load_relaxed(tree.window_ticks));
  const bool is_later = offset < 0; // another window has been opened since
  const bool is_over = left == 0 || is_later;
  const auto since_opening = static_cast<std::uint64_t>(offset);
  if (!is_later && load_relaxed(tree.first_in_window) == 0) store_relaxed(tree.first_in_window, since_opening + 1);
  const bool is_early =
      !is_later && (begins_cluster(tree, record) || since_opening < load_relaxed(record.part.begin_ticks));
  const bool counts = !is_early && (is_later || since_opening < load_relaxed(record.part.end_ticks));
  if (!counts) add_relaxed<std::uint64_t>(record.left_out, 1);
  if (is_early) return false; // brings the code into the caches
  if (counts && visit.interrupted) add(record.interrupted, visit.ticks);
  // The end of recursion that outlives the window was not seen, nor what in it was recursion, too.
  else if (counts && is_over && visit.is_recursion) add_relaxed<std::uint64_t>(record.left_out, 1);
  else if (counts && is_over) add_long(record.windows, visit.ticks);
  else if (counts) add_timed(record.windows, visit.ticks, visit.below);
  if (is_over) return counts && !visit.interrupted;
  if (counts && left > 1) {
    store_relaxed(record.timed_left, left - 1);
    return !visit.interrupted;
  }
  const std::uint32_t clusters = load_relaxed(record.part.apart) != 0 ? load_relaxed(record.clusters_left) : 0;
  if (clusters > 1) {
    store_relaxed(record.clusters_left, clusters - 1);
    await_cluster(tree, record);
    return !visit.interrupted;
  }
  if (counts) store_relaxed(record.part.end_ticks, TimedPart::cut); // far more visits than expected
  store_relaxed(record.clusters_left, 0u);
  time_next(tree, record, 0, 0);
  return counts && !visit.interrupted;
}

// Of a call path of which one visit in k is timed; returns whether the visit counts.
bool block_visit_ended(Tree& tree, SampleRecord& record, const TimedVisit& visit) {
  if (warms_up(record)) return false;
  time_next(tree, record, 0, 0);
  if (visit.interrupted) add(record.interrupted, visit.ticks);
  else add(record.sample, static_cast<std::uint64_t>(at_least(visit.ticks, 0)), record.block);
  return !visit.interrupted;
}

} // namespace

void sample_ended(Tree& tree, std::uint32_t node, const TimedVisit& visit) {
  SampleRecord& record = tree.records[tree.node(node).record];
  if (load_relaxed(record.windowed) ? window_visit_ended(tree, record, visit) : block_visit_ended(tree, record, visit))
    record.recent_ticks += (visit.ticks - record.recent_ticks) * forget;
}

} // namespace andes::monitor
