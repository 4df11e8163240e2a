// A thread for the tests: a location whose visits are made by the slow path's own functions, with one
// tick as the unit of time, so that every answer can be computed by hand.
#pragma once
#include <catch2/catch.hpp>

#include <set>

#include "monitor/core/governor.h"
#include "monitor/core/timed_visits.h"
#include "monitor/core/location.h"

namespace andes::test {

using namespace monitor;

/// The same costs, with a timed visit of a sampled call path containing so much of its probe whatever the work around is.
constexpr ProbeCosts with_inner_part(ProbeCosts costs, double ticks) {
  costs.sample_inner = costs.sample_dependent_inner = costs.sample_busy_inner = costs.sample_short_inner = ticks;
  costs.short_work = 10;
  return costs;
}

constexpr std::uint32_t region_f = 10, region_g = 11, region_h = 12, region_send = 13;

struct Thread {
  Budget memory;
  Location location{};
  std::uint64_t now = 0;
  ProbeCosts costs;                      // of the governor
  std::set<std::uint32_t> should_close;  // regions that it wants closed

  explicit Thread(TreeLimits limits = {}, std::int64_t memory_bytes = INT64_MAX) {
    memory.left_bytes = memory_bytes;
    REQUIRE(location_start(location, limits, memory, region_program, stack_of_this_thread(), 0));
    governor_start(location.governor, 0, false, costs, 0, 0);
  }
  /// Lets a governor loose on it.
  void govern_by(double budget, const ProbeCosts& by_costs) {
    costs = by_costs;
    governor_start(location.governor, budget, true, costs, 1, now);
  }
  ~Thread() { location_free(location); }
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;

  andes_frame* enter(std::uint32_t region, std::uint32_t kind = ANDES_KIND_FUNCTION,
                     std::uintptr_t stack = 0, std::uintptr_t caller = 0) {
    Child child;
    const std::uint32_t parent = innermost(location);
    if (!find_child(location.tree, parent, region, kind, child)) {
      child = make_child(location.tree, parent, region, kind);
      if (!child.folded) govern(location.governor, location.tree, child.node);
    }
    if (is_due(location.tree, child.node) && review(location.governor, location.tree, child.node, now)) {
      ToClose to_close;
      sweep(location.governor, location.tree, open_frames(), now, to_close);
      should_close.insert(to_close.regions, to_close.regions + to_close.count);
    }
    andes_frame* frame = push_frame(location, child, stack, caller);
    if (frame && is_timed(*frame)) frame->enter_ticks = now;
    return frame;
  }
  OpenFrames open_frames() const { return {location.bottom + 1, location.hot->top + 1}; }
  void leave(andes_frame* frame) { pop_frames(location, frame, now); }

  /// Number of a node.
  std::uint32_t find(std::uint32_t parent, std::uint32_t region) const {
    for (std::uint32_t i = 0; i < location.tree.node_count; ++i)
      if (location.tree.node(i).parent == parent && location.tree.node(i).region == region) return i;
    FAIL("no such node");
    return 0;
  }
  std::int64_t visits(std::uint32_t node) const { return location.tree.visits(node); }
  std::uint64_t inclusive(std::uint32_t node) const {
    return location.tree.node(node).inclusive_ticks;
  }
  std::int64_t exclusive(std::uint32_t of) const {
    const Tree& tree = location.tree;
    auto ticks = static_cast<std::int64_t>(inclusive(of)) + tree.accounts[of].moved_ticks;
    for (std::uint32_t i = 1; i < tree.node_count; ++i)
      if (tree.node(i).parent == of) ticks -= static_cast<std::int64_t>(inclusive(i));
    return ticks;
  }
  std::int64_t sum_of_exclusive() const {
    std::int64_t sum = 0;
    for (std::uint32_t i = 0; i < location.tree.node_count; ++i) sum += exclusive(i);
    return sum;
  }
};

} // namespace andes::test
