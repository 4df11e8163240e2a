// The call tree of a location against answers computed by hand: see thread.h.
#include <algorithm>

#include "tests/monitor/thread.h"

#include "monitor/core/recursion.h"

using namespace andes;
using namespace andes::monitor;
using namespace andes::test;

namespace {

/// The child to which the fast path is led from a node, with its bits (enum andes_entry_bits); 0: to none.
std::uint32_t entry(const Thread& thread, std::uint32_t parent, std::uint32_t region) {
  const andes_entry& found = *ANDES_ENTRY_AT(thread.location.hot, place_of(parent), region);
  return found.parent == place_of(parent) ? found.child : 0;
}

} // namespace

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

TEST_CASE("beyond the limits the fast path counts visits of any region, as if they were direct recursion") {
  TreeLimits limits;
  limits.depth = 1;
  limits.fold_recursion = GENERATE(false, true);
  Thread thread(limits);
  thread.enter(region_f);
  thread.enter(region_g); // too deep
  CHECK(thread.enter(region_h, ANDES_KIND_FUNCTION, 1) == nullptr);
  CHECK(entry(thread, node_more, region_h) == (place_of(node_more) | ANDES_ENTRY_DIRECT));
  CHECK(thread.visits(node_more) == 2);
  REQUIRE(thread.enter(region_send, ANDES_KIND_SEND) != nullptr);
  CHECK(entry(thread, node_more, region_send) == place_of(thread.find(node_more, region_send)));
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
    repair_tree(tree);
    CHECK(thread.visits(f) == 3);
    repair_tree(tree); // nothing is to be ended
    CHECK(thread.visits(f) == 3);
  }
  set_countdown(tree, f, 7);
  CHECK(tree.node(f).countdown == 7);
  CHECK(thread.visits(f) == 3);
}

TEST_CASE("a table that was left half filled, and a new node that was not linked, are put right") {
  Thread thread;
  auto* f = thread.enter(region_f);
  thread.leave(thread.enter(region_g));
  thread.leave(thread.enter(region_h));
  thread.leave(f);
  Tree& tree = thread.location.tree;
  const std::uint32_t node_f = thread.find(node_root, region_f), node_h = thread.find(node_f, region_h);
  const auto has_all = [&] {
    return own_child(tree, node_root, region_f) == node_f && own_child(tree, node_f, region_h) == node_h &&
           own_child(tree, node_f, region_g) == node_h - 1 && tree.accounts[node_f].first_child == node_h &&
           tree.accounts[node_h].next_sibling == node_h - 1;
  };
  REQUIRE(has_all());
  SECTION("the table") {
    tree.filling = true;
    std::fill_n(tree.table, tree.table_mask + 1, 0);
  }
  SECTION("the newest node") {
    tree.accounts[node_f].first_child = node_h - 1;
    tree.accounts[node_h].next_sibling = 0;
    std::replace(tree.table, tree.table + tree.table_mask + 1, node_h, 0u);
  }
  CHECK_FALSE(has_all());
  repair_tree(tree);
  CHECK(has_all());
  repair_tree(tree);
  CHECK(has_all());
}

TEST_CASE("the fast path finds a region from each of its callers, with the bits it has now") {
  Thread thread;
  for (const std::uint32_t caller : {region_f, region_g, region_f, region_g}) {
    auto* frame = thread.enter(caller);
    thread.leave(thread.enter(region_h));
    thread.leave(frame);
  }
  Tree& tree = thread.location.tree;
  const std::uint32_t f = thread.find(node_root, region_f), g = thread.find(node_root, region_g);
  const std::uint32_t below_f = thread.find(f, region_h), below_g = thread.find(g, region_h);
  CHECK(entry(thread, f, region_h) == place_of(below_f));
  CHECK(entry(thread, g, region_h) == place_of(below_g));
  CHECK(entry(thread, f, region_g) == 0);
  REQUIRE(make_sampled(tree, f, 1));
  CHECK(entry(thread, node_root, region_f) == (place_of(f) | ANDES_ENTRY_BITS));
  CHECK(entry(thread, f, region_h) == (place_of(below_f) | ANDES_ENTRY_BITS)); // called from a visit that is not exact
  CHECK(entry(thread, g, region_h) == place_of(below_g));
  make_exact(tree, f);
  CHECK(entry(thread, node_root, region_f) == place_of(f));
  CHECK(entry(thread, f, region_h) == place_of(below_f));
}

TEST_CASE("the fast path is told of recursion for as long as there is one") {
  Thread thread;
  auto* f1 = thread.enter(region_f);
  auto* g1 = thread.enter(region_g);
  const std::uint32_t f = thread.find(node_root, region_f), g = thread.find(f, region_g);
  CHECK(entry(thread, f, region_g) == place_of(g));
  auto* f2 = thread.enter(region_f); // from g back to f, which is open
  CHECK(f2->bits == (ANDES_FRAME_FOLDED | ANDES_FRAME_CLOSING));
  CHECK(entry(thread, g, region_f) == (place_of(f) | ANDES_ENTRY_FOLDED));
  CHECK(entry(thread, f, region_g) == (place_of(g) | ANDES_ENTRY_FOLDED));
  auto* g2 = thread.enter(region_g);
  CHECK(g2->bits == ANDES_FRAME_FOLDED);
  auto* f3 = thread.enter(region_f);
  CHECK(f3->bits == ANDES_FRAME_FOLDED); // f2 has closed the way
  CHECK(thread.enter(region_f, ANDES_KIND_FUNCTION, 1) == nullptr); // straight into itself, in a frame of its own
  CHECK(entry(thread, f, region_f) == (place_of(f) | ANDES_ENTRY_DIRECT));
  thread.leave(f3);
  thread.leave(g2);
  CHECK(entry(thread, f, region_g) == (place_of(g) | ANDES_ENTRY_FOLDED));
  thread.leave(f2);
  CHECK(entry(thread, f, region_g) == place_of(g));
  CHECK(thread.location.tree.node(g).folds == 0);
  thread.leave(g1);
  thread.leave(f1);
  CHECK(thread.visits(f) == 4);
}

TEST_CASE("the short way into recursion takes what the long way would give it, and gives back as much") {
  Thread thread;
  thread.location.stack_low = thread.location.hot->stack_low = 0;
  thread.location.stack_high = thread.location.frames[0].stack = 10000;
  const andes_site site_f = {"f", "", 0, ANDES_KIND_FUNCTION, region_f, 0};
  const andes_site site_g = {"g", "", 0, ANDES_KIND_FUNCTION, region_g, 0};
  auto at = [&](std::uint32_t region, std::uintptr_t stack) {
    return thread.enter(region, ANDES_KIND_FUNCTION, stack, 1);
  };
  at(region_f, 9000);
  CHECK(enter_folded(thread.location, site_g, 8000, 1) == nullptr); // a new call path
  andes_frame* g1 = at(region_g, 8000);
  CHECK(enter_folded(thread.location, site_f, 7000, 1) == nullptr); // the way back is not known
  andes_frame* f2 = at(region_f, 7000);
  CHECK_FALSE(leave_folded(thread.location, f2)); // it has closed the way
  andes_frame* g2 = enter_folded(thread.location, site_g, 6000, 1);
  REQUIRE(g2 == f2 + 1);
  CHECK(enter_folded(thread.location, site_f, 6000, 1) == nullptr); // inlined
  andes_frame* f3 = enter_folded(thread.location, site_f, 5000, 2);
  REQUIRE(f3 == g2 + 1);
  CHECK(thread.location.hot->top == f3);
  CHECK(thread.location.hot->innermost == f3->place);
  CHECK(f3->bits == ANDES_FRAME_FOLDED);
  CHECK(f3->stack == 5000);
  CHECK(f3->caller == 2);
  CHECK_FALSE(leave_folded(thread.location, g2)); // not the innermost
  const std::uint32_t f = thread.find(node_root, region_f), g = thread.find(f, region_g);
  CHECK(leave_folded(thread.location, f3));
  const Tree& tree = thread.location.tree;
  CHECK(tree.accounts[f].moved_ticks > 0);
  CHECK(tree.accounts[g].moved_ticks == -tree.accounts[f].moved_ticks);
  CHECK(leave_folded(thread.location, g2));
  CHECK(tree.accounts[g].moved_ticks == -tree.accounts[f].moved_ticks);
  CHECK(thread.location.hot->top == f2);
  thread.leave(g1);
  CHECK(enter_folded(thread.location, site_g, 8000, 1) == nullptr); // nothing is folded any more
  CHECK(thread.visits(f) == 3);
  CHECK(thread.visits(g) == 2);
}

TEST_CASE("entries take their memory from the budget, block by block, and where it ends the slow path serves") {
  constexpr std::int64_t node_bytes = sizeof(andes_node) + sizeof(NodeAccount) + 8;
  constexpr std::int64_t block_bytes = 4 * 4096;
  // In a chain in which node n calls region n + 17 that entry is number 32 (n + 1) + n + 17, and the first block has
  // (block_bytes - 64) / 8 = 2040 entries: node 60 has number 2029, node 61 has 2062.
  Thread thread({}, 59 * node_bytes + block_bytes - 1);
  std::uint32_t parent = node_root;
  for (std::uint32_t node = first_free_node; node <= 61; parent = node++) {
    thread.enter(node + 16);
    REQUIRE(thread.location.tree.node_count == node + 1);
    CHECK(entry(thread, parent, node + 16) == place_of(node));
  }
  CHECK(thread.memory.left_bytes == node_bytes + block_bytes - 1);
  REQUIRE(thread.enter(61 + 17) != nullptr);
  CHECK(thread.memory.left_bytes == block_bytes - 1);
  CHECK(entry(thread, 61, 61 + 17) == 0);
  CHECK(thread.visits(thread.find(61, 61 + 17)) == 1);
}
