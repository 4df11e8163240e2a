// Visits that are only counted, by the short slow path of clocks that probes may not read (counted_visits.h).
#include "monitor/core/counted_visits.h"

#include "tests/monitor/thread.h"

using namespace andes::monitor;
using namespace andes::test;

TEST_CASE("a visit that is only counted takes the short path, and no other one does") {
  constexpr std::uintptr_t stack = 100, caller = 0x400000;
  Thread thread;
  Location& location = thread.location;
  Tree& tree = location.tree;
  andes_site site = ANDES_SITE("f", nullptr, 0, ANDES_KIND_FUNCTION);
  site.region = region_f;
  location.hot->top->stack = 200;
  location.hot->top->caller = caller;
  const std::uintptr_t low = location.hot->stack_low = 1000;
  const andes_view view = {location.hot, 0, 0};
  const auto enter = [&](std::uintptr_t at) { return enter_counted(view, site, low + at, caller); };

  CHECK(enter(stack) == nullptr); // not known
  thread.leave(thread.enter(region_f, ANDES_KIND_FUNCTION, low + stack, caller));
  CHECK(enter(stack) == nullptr); // exact
  const std::uint32_t f = own_child(tree, node_root, region_f);
  REQUIRE(make_sampled(tree, f, 1));
  set_countdown(tree, f, 3);

  andes_frame* const root = location.hot->top;
  const std::int64_t visits = visits_from_outside(tree, f);
  andes_frame* const frame = enter(stack);
  REQUIRE(frame == root + 1);
  CHECK(visits_from_outside(tree, f) == visits + 1);
  CHECK(innermost(location) == f);
  CHECK(frame->bits == ANDES_FRAME_UNTIMED);
  CHECK(frame->enter_ticks == 0);
  CHECK(frame->stack == stack);
  CHECK(frame->caller == caller);
  set_top(location, root);

  SECTION("inlined into its caller it has the same place and return address") {
    CHECK(enter_counted(view, site, low + 200, caller + 1) == nullptr);
    CHECK(enter(200) != nullptr);
  }
  SECTION("not above the innermost visit") { CHECK(enter(300) == nullptr); }
  SECTION("not the visit that is timed") {
    tree.node(f).bits = ANDES_FRAME_SAMPLE;
    CHECK(enter(stack) == nullptr);
  }
  SECTION("not a visit that is due") {
    set_countdown(tree, f, 0);
    CHECK(enter(stack) == nullptr);
  }
  SECTION("not where a closed function may stand between") {
    force_slow_path(tree, f, true);
    CHECK(enter(stack) == nullptr);
  }
  SECTION("not while nothing is measured") {
    switch_off(location, 0);
    CHECK(enter(stack) == nullptr);
  }
  SECTION("not in a module that the thread has not met, or whose probes read the clock") {
    CHECK(enter_counted({nullptr, 0, 0}, site, low + stack, caller) == nullptr);
    CHECK(enter_counted({location.hot, ANDES_REGIONS, 0}, site, low + stack, caller) == nullptr);
  }
  SECTION("not at a place without a region") {
    site.region = ANDES_REGION_OFF;
    CHECK(enter(stack) == nullptr);
  }
}
