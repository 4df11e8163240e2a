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
      if (load_relaxed(record.windows.timed) > 0) {
        const double each = mean_ticks(record.windows), by_themselves = share_by_themselves(record.windows);
        const double probe = inner_of_timed(costs_of_kind(costs, tree.node(child).kind), each / by_themselves).ticks;
        ticks += static_cast<double>(visits) * (each - by_themselves * probe);
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
bool begins_cluster(Tree& tree, SampleRecord& record, const TimedVisit& visit) {
  if (visit.is_inside_timed) return load_relaxed(record.awaits_first) || load_relaxed(record.warm_up) != 0;
  if (load_relaxed(record.awaits_first)) {
    store_relaxed(record.awaits_first, false);
    await_cluster(tree, record);
    return true;
  }
  return warms_up(record);
}

// Adds a visit that counts. `is_over`: it ended after its window.
void add_visit(const Tree& tree, SampleRecord& record, const TimedVisit& visit, bool is_over) {
  if (is_over && tree.is_pinned(record.node, pin_recursion)) { // the recursion in it was not all seen
    add_relaxed<std::uint64_t>(record.left_out, 1);
    add_relaxed(record.windows.cut_ticks, at_least(visit.ticks, 0));
  } else if (visit.interrupted) {
    add(record.interrupted, visit.ticks);
  } else if (is_over) {
    add_long(record.windows, visit.ticks);
  } else {
    add_timed(record.windows, visit.ticks, visit.below, visit.within);
  }
}

// Of a call path whose region is closed; returns whether the visit counts. Recursion in a timed visit of the same call
// path shares its fate, whose end decides what is timed next: it ends first, and as visits of recursion are not alike,
// those that end first cannot stand for all.
bool window_visit_ended(Tree& tree, SampleRecord& record, const TimedVisit& visit) {
  const std::uint32_t left = load_relaxed(record.timed_left);
  const auto offset = static_cast<std::int64_t>(visit.begin_ticks - load_relaxed(tree.window_ticks));
  const bool is_later = offset < 0; // another window has been opened since
  const bool is_over = left == 0 || is_later;
  const auto since_opening = static_cast<std::uint64_t>(offset);
  if (!is_later && load_relaxed(tree.first_in_window) == 0) store_relaxed(tree.first_in_window, since_opening + 1);
  const bool is_early =
      !is_later && (begins_cluster(tree, record, visit) || since_opening < load_relaxed(record.part.begin_ticks));
  const bool counts = !is_early && (is_later || since_opening < load_relaxed(record.part.end_ticks));
  if (!counts) add_relaxed<std::uint64_t>(record.left_out, 1);
  if (is_early) return false; // brings the code into the caches
  if (counts) add_visit(tree, record, visit, is_over);
  if (is_over || visit.is_inside_timed) return counts && !visit.interrupted;
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
    record.recent_ticks += (visit.ticks / static_cast<double>(1 + visit.within) - record.recent_ticks) * forget;
}

} // namespace andes::monitor
