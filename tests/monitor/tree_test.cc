// The call tree of a location against answers computed by hand: one tick is one unit of time here,
// and every visit is made by the slow path's own functions.
#include <catch2/catch.hpp>

#include "monitor/core/location.h"
#include "monitor/finish/profile.h"

using namespace andes;

namespace {

constexpr std::uint32_t region_f = 10, region_g = 11, region_h = 12, region_send = 13;

struct Tree {
  Location location{};
  std::uint64_t now = 0;

  explicit Tree(TreeLimits limits = {}) { REQUIRE(location_start(location, limits, 1, 0)); }

  andes_frame* enter(std::uint32_t region, std::uint32_t kind = ANDES_KIND_FUNCTION) {
    bool folded = false;
    const std::uint32_t node = child_node(location, region, kind, folded);
    andes_frame* frame = push_frame(location, node, folded, 0, 0);
    if (frame) frame->enter_ticks = now;
    return frame;
  }
  void leave(andes_frame* frame) { pop_frames(location, frame, now); }

  const andes_node& node(std::uint32_t parent, std::uint32_t region) const {
    for (std::uint32_t i = 0; i < location.node_count; ++i)
      if (location.hot.nodes[i].parent == parent && location.hot.nodes[i].region == region)
        return location.hot.nodes[i];
    FAIL("no such node");
    return location.hot.nodes[0];
  }
  std::uint32_t index(const andes_node& found) const {
    return static_cast<std::uint32_t>(&found - location.hot.nodes);
  }
  std::int64_t exclusive(std::uint32_t of) const {
    const andes_node* nodes = location.hot.nodes;
    auto ticks = static_cast<std::int64_t>(nodes[of].inclusive_ticks) + nodes[of].moved_ticks;
    for (std::uint32_t i = 1; i < location.node_count; ++i)
      if (nodes[i].parent == of) ticks -= static_cast<std::int64_t>(nodes[i].inclusive_ticks);
    return ticks;
  }
  std::int64_t sum_of_exclusive() const {
    std::int64_t sum = 0;
    for (std::uint32_t i = 0; i < location.node_count; ++i) sum += exclusive(i);
    return sum;
  }
};

} // namespace

TEST_CASE("nested visits: inclusive and exclusive times") {
  Tree tree;
  auto* f = tree.enter(region_f); // 0..10
  tree.now = 3;
  auto* g = tree.enter(region_g); // 3..7
  tree.now = 7;
  tree.leave(g);
  tree.now = 10;
  tree.leave(f);
  tree.now = 12;
  close_frames(tree.location, tree.now);
  const auto& node_f = tree.node(node_root, region_f);
  const auto& node_g = tree.node(tree.index(node_f), region_g);
  CHECK(node_f.visits == 1);
  CHECK(node_f.inclusive_ticks == 10);
  CHECK(tree.exclusive(tree.index(node_f)) == 6);
  CHECK(node_g.inclusive_ticks == 4);
  CHECK(tree.exclusive(node_root) == 2);
  CHECK(tree.sum_of_exclusive() == 12);
}

TEST_CASE("recursion is folded into the first occurrence and its time counted once") {
  // f 0..100 { g 10..90 { f 20..80 { g 30..60 } } }: f is 100, of which f alone 10+10+10+20.
  Tree tree;
  auto* f1 = tree.enter(region_f);
  tree.now = 10;
  auto* g1 = tree.enter(region_g);
  tree.now = 20;
  auto* f2 = tree.enter(region_f);
  tree.now = 30;
  auto* g2 = tree.enter(region_g);
  tree.now = 60;
  tree.leave(g2);
  tree.now = 80;
  tree.leave(f2);
  tree.now = 90;
  tree.leave(g1);
  tree.now = 100;
  tree.leave(f1);
  close_frames(tree.location, tree.now);
  const auto& f = tree.node(node_root, region_f);
  const auto& g = tree.node(tree.index(f), region_g);
  CHECK(tree.location.node_count == first_free_node + 2);
  CHECK(f.visits == 2);
  CHECK(g.visits == 2);
  CHECK(f.inclusive_ticks == 100);
  CHECK(g.inclusive_ticks == 80);
  CHECK(tree.exclusive(tree.index(f)) == 50); // 10 + 10 + (10 + 20)
  CHECK(tree.exclusive(tree.index(g)) == 50); // 10 + 10 + 30
  CHECK(tree.sum_of_exclusive() == 100);
}

TEST_CASE("full recursion gives every depth its call path") {
  TreeLimits limits;
  limits.fold_recursion = false;
  Tree tree(limits);
  auto* f1 = tree.enter(region_f);
  tree.now = 1;
  auto* f2 = tree.enter(region_f);
  tree.now = 3;
  tree.leave(f2);
  tree.leave(f1);
  const auto& outer = tree.node(node_root, region_f);
  const auto& inner = tree.node(tree.index(outer), region_f);
  CHECK(outer.visits == 1);
  CHECK(outer.inclusive_ticks == 3);
  CHECK(inner.inclusive_ticks == 2);
}

TEST_CASE("deep recursion keeps counting when there is no room for another frame") {
  Tree tree;
  for (int i = 0; i < 200000; ++i) tree.enter(region_f);
  auto* send = tree.enter(region_send, ANDES_KIND_SEND); // MPI is still timed
  REQUIRE(send != nullptr);
  tree.now = 5;
  tree.leave(send);
  tree.now = 8;
  close_frames(tree.location, tree.now);
  const auto& f = tree.node(node_root, region_f);
  CHECK(f.visits == 200000);
  CHECK(f.inclusive_ticks == 8);
  CHECK(tree.node(tree.index(f), region_send).inclusive_ticks == 5);
  CHECK(tree.sum_of_exclusive() == 8);
}

TEST_CASE("beyond the node limit time and visits go to one node named so, MPI to another") {
  TreeLimits limits;
  limits.nodes = 16;
  Tree tree(limits);
  for (std::uint32_t region = 100; region < 200; ++region) {
    auto* frame = tree.enter(region);
    tree.now += 2;
    tree.leave(frame);
  }
  auto* send = tree.enter(region_send, ANDES_KIND_SEND);
  tree.now += 7;
  tree.leave(send);
  close_frames(tree.location, tree.now);
  CHECK(tree.location.node_count == 16);
  const auto& more = tree.location.hot.nodes[node_more];
  CHECK(more.visits == 88); // 16 nodes hold 4 fixed ones and 12 paths
  CHECK(tree.exclusive(node_more) == 176);
  CHECK(tree.exclusive(node_more_mpi) == 7);
  CHECK(tree.sum_of_exclusive() == 207);
}

TEST_CASE("beyond the depth limit call paths are summed, MPI calls below keep their kind") {
  TreeLimits limits;
  limits.depth = 1;
  Tree tree(limits);
  auto* f = tree.enter(region_f);
  auto* g = tree.enter(region_g); // too deep
  tree.now = 2;
  auto* h = tree.enter(region_h); // deeper
  auto* send = tree.enter(region_send, ANDES_KIND_SEND);
  tree.now = 5;
  tree.leave(send);
  tree.leave(h);
  tree.leave(g);
  tree.leave(f);
  close_frames(tree.location, tree.now);
  CHECK(tree.location.hot.nodes[node_more].visits == 2);
  CHECK(tree.exclusive(node_more) == 2);
  CHECK(tree.node(node_more, region_send).inclusive_ticks == 3);
  CHECK(tree.sum_of_exclusive() == 5);
}

TEST_CASE("time switched off is excluded from open visits") {
  Tree tree;
  auto* f = tree.enter(region_f);
  tree.now = 10;
  auto* g = tree.enter(region_g);
  tree.now = 12;
  switch_off(tree.location, tree.now);
  tree.now = 20;
  tree.leave(g); // left while off: ends when measuring stopped
  tree.now = 50;
  switch_on(tree.location, tree.now);
  tree.now = 60;
  tree.leave(f);
  close_frames(tree.location, tree.now);
  const auto& node_f = tree.node(node_root, region_f);
  CHECK(node_f.inclusive_ticks == 22); // 60 - 38 off
  CHECK(tree.node(tree.index(node_f), region_g).inclusive_ticks == 2);
  CHECK(tree.location.hot.nodes[node_root].inclusive_ticks == 22);
  CHECK(tree.location.off_ticks == 38);
}

TEST_CASE("restarting drops times but not visits") {
  Tree tree;
  auto* f = tree.enter(region_f);
  tree.now = 100;
  restart_times(tree.location, tree.now);
  tree.now = 130;
  tree.leave(f);
  close_frames(tree.location, tree.now);
  CHECK(tree.node(node_root, region_f).visits == 1);
  CHECK(tree.node(node_root, region_f).inclusive_ticks == 30);
  CHECK(tree.location.hot.nodes[node_root].inclusive_ticks == 30);
}

TEST_CASE("frames left without notice are dropped by their place in the stack") {
  Tree tree;
  tree.location.hot.stack_low = 0;
  tree.location.stack_high = 10000;
  auto at = [&](std::uint32_t region, std::uintptr_t stack, std::uintptr_t caller) {
    drop_stale_frames(tree.location, stack, caller, tree.now);
    bool folded = false;
    const std::uint32_t node = child_node(tree.location, region, ANDES_KIND_FUNCTION, folded);
    andes_frame* frame = push_frame(tree.location, node, folded, stack, caller);
    frame->enter_ticks = tree.now;
    return frame;
  };
  at(region_f, 5000, 1);
  at(region_g, 4000, 2);
  tree.now = 10; // longjmp out of both; another function at the place of f, called from elsewhere
  at(region_h, 5000, 3);
  CHECK(tree.node(node_root, region_h).visits == 1);
  CHECK(tree.node(node_root, region_f).inclusive_ticks == 10);
  // The same place and the same return address: inlined into the function there.
  at(region_g, 5000, 3);
  CHECK(tree.node(tree.index(tree.node(node_root, region_h)), region_g).visits == 1);
}

TEST_CASE("a location goes from a thread that ended to a new one, totals kept") {
  Tree tree;
  tree.now = 10;
  close_frames(tree.location, tree.now);
  tree.now = 100;
  location_resume(tree.location, tree.now);
  tree.now = 105;
  close_frames(tree.location, tree.now);
  CHECK(tree.location.hot.nodes[node_root].inclusive_ticks == 15);
  CHECK(tree.location.hot.nodes[node_root].visits == 2);
}
