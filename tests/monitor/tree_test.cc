// The call tree of a location against answers computed by hand: see thread.h.
#include "tests/monitor/thread.h"

using namespace andes;
using namespace andes::test;

TEST_CASE("nested visits: inclusive and exclusive times") {
  Thread tree;
  auto* f = tree.enter(region_f); // 0..10
  tree.now = 3;
  auto* g = tree.enter(region_g); // 3..7
  tree.now = 7;
  tree.leave(g);
  tree.now = 10;
  tree.leave(f);
  tree.now = 12;
  close_frames(tree.location, tree.now);
  const std::uint32_t node_f = tree.find(node_root, region_f);
  const std::uint32_t node_g = tree.find(node_f, region_g);
  CHECK(tree.visits(node_f) == 1);
  CHECK(tree.inclusive(node_f) == 10);
  CHECK(tree.exclusive(node_f) == 6);
  CHECK(tree.inclusive(node_g) == 4);
  CHECK(tree.exclusive(node_root) == 2);
  CHECK(tree.sum_of_exclusive() == 12);
}

TEST_CASE("recursion is folded into the first occurrence and its time counted once") {
  // f 0..100 { g 10..90 { f 20..80 { g 30..60 } } }: f is 100, of which f alone 10+10+10+20.
  Thread tree;
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
  const std::uint32_t f = tree.find(node_root, region_f);
  const std::uint32_t g = tree.find(f, region_g);
  CHECK(tree.location.tree.node_count == first_free_node + 2);
  CHECK(tree.visits(f) == 2);
  CHECK(tree.visits(g) == 2);
  CHECK(tree.inclusive(f) == 100);
  CHECK(tree.inclusive(g) == 80);
  CHECK(tree.exclusive(f) == 50); // 10 + 10 + (10 + 20)
  CHECK(tree.exclusive(g) == 50); // 10 + 10 + 30
  CHECK(tree.sum_of_exclusive() == 100);
}

TEST_CASE("full recursion gives every depth its call path") {
  TreeLimits limits;
  limits.fold_recursion = false;
  Thread tree(limits);
  auto* f1 = tree.enter(region_f);
  tree.now = 1;
  auto* f2 = tree.enter(region_f);
  tree.now = 3;
  tree.leave(f2);
  tree.leave(f1);
  const std::uint32_t outer = tree.find(node_root, region_f);
  const std::uint32_t inner = tree.find(outer, region_f);
  CHECK(tree.visits(outer) == 1);
  CHECK(tree.inclusive(outer) == 3);
  CHECK(tree.inclusive(inner) == 2);
}

TEST_CASE("deep recursion keeps counting when there is no room for another frame") {
  Thread tree;
  for (int i = 0; i < 200000; ++i) tree.enter(region_f);
  auto* send = tree.enter(region_send, ANDES_KIND_SEND); // MPI is still timed
  REQUIRE(send != nullptr);
  tree.now = 5;
  tree.leave(send);
  tree.now = 8;
  close_frames(tree.location, tree.now);
  const std::uint32_t f = tree.find(node_root, region_f);
  CHECK(tree.visits(f) == 200000);
  CHECK(tree.inclusive(f) == 8);
  CHECK(tree.inclusive(tree.find(f, region_send)) == 5);
  CHECK(tree.sum_of_exclusive() == 8);
}

TEST_CASE("beyond the node limit time and visits go to one node named so, MPI to another") {
  TreeLimits limits;
  limits.nodes = 16;
  Thread tree(limits);
  for (std::uint32_t region = 100; region < 200; ++region) {
    auto* frame = tree.enter(region);
    tree.now += 2;
    tree.leave(frame);
  }
  auto* send = tree.enter(region_send, ANDES_KIND_SEND);
  tree.now += 7;
  tree.leave(send);
  close_frames(tree.location, tree.now);
  CHECK(tree.location.tree.node_count == 16);
  const std::uint32_t more = node_more;
  CHECK(tree.visits(more) == 88); // 16 nodes hold 4 fixed ones and 12 paths
  CHECK(tree.exclusive(node_more) == 176);
  CHECK(tree.exclusive(node_more_mpi) == 7);
  CHECK(tree.sum_of_exclusive() == 207);
}

TEST_CASE("beyond the depth limit call paths are summed, MPI calls below keep their kind") {
  TreeLimits limits;
  limits.depth = 1;
  Thread tree(limits);
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
  CHECK(tree.visits(node_more) == 2);
  CHECK(tree.exclusive(node_more) == 2);
  CHECK(tree.inclusive(tree.find(node_more, region_send)) == 3);
  CHECK(tree.sum_of_exclusive() == 5);
}

TEST_CASE("time switched off is excluded from open visits") {
  Thread tree;
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
  const std::uint32_t node_f = tree.find(node_root, region_f);
  CHECK(tree.inclusive(node_f) == 22); // 60 - 38 off
  CHECK(tree.inclusive(tree.find(node_f, region_g)) == 2);
  CHECK(tree.inclusive(node_root) == 22);
  CHECK(tree.location.off_ticks == 38);
}

TEST_CASE("restarting drops times but not visits") {
  Thread tree;
  auto* f = tree.enter(region_f);
  tree.now = 100;
  restart_times(tree.location, tree.now);
  tree.now = 130;
  tree.leave(f);
  close_frames(tree.location, tree.now);
  CHECK(tree.visits(tree.find(node_root, region_f)) == 1);
  CHECK(tree.inclusive(tree.find(node_root, region_f)) == 30);
  CHECK(tree.inclusive(node_root) == 30);
}

TEST_CASE("frames left without notice are dropped by their place in the stack") {
  Thread tree;
  tree.location.stack_low = tree.location.hot->stack_low = 0;
  tree.location.stack_high = tree.location.frames[0].stack = 10000;
  auto at = [&](std::uint32_t region, std::uintptr_t stack, std::uintptr_t caller) {
    drop_stale_frames(tree.location, stack, caller, tree.now);
    return tree.enter(region, ANDES_KIND_FUNCTION, stack, caller);
  };
  at(region_f, 5000, 1);
  at(region_g, 4000, 2);
  tree.now = 10; // longjmp out of both; another function at the place of f, called from elsewhere
  at(region_h, 5000, 3);
  CHECK(tree.visits(tree.find(node_root, region_h)) == 1);
  CHECK(tree.inclusive(tree.find(node_root, region_f)) == 10);
  // The same place and the same return address: inlined into the function there.
  at(region_g, 5000, 3);
  CHECK(tree.visits(tree.find(tree.find(node_root, region_h), region_g)) == 1);
}

TEST_CASE("a location goes from a thread that ended to a new one, totals kept") {
  Thread tree;
  tree.now = 10;
  close_frames(tree.location, tree.now);
  tree.now = 100;
  location_resume(tree.location, Stack(), tree.now);
  tree.now = 105;
  close_frames(tree.location, tree.now);
  CHECK(tree.inclusive(node_root) == 15);
  CHECK(tree.visits(node_root) == 2);
}

TEST_CASE("a change of a countdown that was left in the middle is ended") {
  Thread thread;
  for (int i = 0; i < 3; ++i) thread.leave(thread.enter(region_f));
  Tree& tree = thread.location.tree;
  const std::uint32_t f = thread.find(node_root, region_f);
  for (const std::int64_t changed_by : {0, 100}) { // before the countdown was changed, and after that
    tree.changing = f + 1;
    tree.accounts[f].visits_base = visits_apart(3);
    tree.node(f).countdown += changed_by;
    settle_countdown(tree);
    CHECK(thread.visits(f) == 3);
    settle_countdown(tree); // nothing is to be ended
    CHECK(thread.visits(f) == 3);
  }
  set_countdown(tree, f, 7);
  CHECK(tree.node(f).countdown == 7);
  CHECK(thread.visits(f) == 3);
}
