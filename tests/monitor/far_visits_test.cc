// Visits below closed functions by the short slow path (far_visits.h): when it is taken, and that it counts what
// the long one counts. The program's stack is an array in the test's own frame.
#include "monitor/core/closed_regions.h"
#include "monitor/core/far_visits.h"

#include <memory>

#include "tests/monitor/thread.h"

using namespace andes::monitor;
using namespace andes::test;

namespace {

constexpr std::uintptr_t call_of_g = 0x401000, other_call_of_g = 0x401100, call_of_send = 0x402000;
constexpr std::uint32_t kind_send = 16;

/// f is open and calls g, which is closed and calls MPI.
struct Program {
  std::unique_ptr<Process> process = std::make_unique<Process>();
  Region regions[16] = {};
  Thread thread;
  Location& location = thread.location;
  Tree& tree = location.tree;
  std::uintptr_t words[32] = {};
  std::uint32_t f = 0, g = 0, send = 0;
  andes_site site = ANDES_SITE("MPI_Send", nullptr, 0, kind_send);

  std::uintptr_t stack_at(int word) const { return reinterpret_cast<std::uintptr_t>(words + word); }
  Entered call() const { return {region_send, kind_send, stack_at(4), call_of_send}; }
  std::uint32_t path() { return far_path(*process, location, call()); }
  /// Finds g for the first time, and then as known.
  void search() {
    for (int i = 0; i < 2; ++i) REQUIRE(find_caller(*process, location, call()).node == g);
  }

  Program() {
    process->registry.regions = regions;
    process->costs.sample = 100;
    site.region = region_send;
    thread.govern_by(0.01, {.pair = 7.5, .ticks_per_ms = 1000});
    const auto open = [&](std::uint32_t region, std::uint32_t kind, int word, std::uintptr_t caller) {
      learn_call_site(*process, location, {region, kind, stack_at(word), caller});
      return thread.enter(region, kind, stack_at(word), caller);
    };
    open(region_f, ANDES_KIND_FUNCTION, 24, 0x400000);
    f = innermost(location);
    andes_frame* const of_g = open(region_g, ANDES_KIND_FUNCTION, 16, call_of_g);
    g = innermost(location);
    andes_frame* const of_send = open(region_send, kind_send, 4, call_of_send);
    send = innermost(location);
    thread.leave(of_send);
    thread.leave(of_g);
    thread.leave(open(region_g, ANDES_KIND_FUNCTION, 16, other_call_of_g));
    regions[region_g].closed = true;
    process->windows.closed_count = 1;
    words[15] = call_of_g; // where g returns to
  }
  ~Program() { process->registry.regions = nullptr; }
};

} // namespace

TEST_CASE("beyond the limits of the tree no closed function is searched for") {
  Program program;
  REQUIRE(find_caller(*program.process, program.location, program.call()).node == program.g);
  program.tree.limits.depth = 1;
  program.thread.enter(region_h, ANDES_KIND_FUNCTION, program.stack_at(20)); // too deep
  REQUIRE(innermost(program.location) == node_more);
  const Caller caller = find_caller(*program.process, program.location, program.call());
  CHECK(caller.node == node_more);
  CHECK(caller.search_ticks == 0);
}

TEST_CASE("an old return address of a closed function proves nothing below one that never made the call") {
  Program program;
  const Entered call = {region_send, kind_send, program.stack_at(4), call_of_send + 64}; // not seen before
  REQUIRE(find_caller(*program.process, program.location, call).node == program.g);
  andes_frame* const of_h = program.thread.enter(region_h, ANDES_KIND_FUNCTION, program.stack_at(20), 0x400100);
  const std::uint32_t h = innermost(program.location);
  CHECK(find_caller(*program.process, program.location, call).node == h);
  program.thread.leave(of_h);
}

TEST_CASE("the call path of a call below a closed function is known once it was searched for") {
  Program program;
  REQUIRE(program.g != program.f);
  CHECK(program.path() == 0);
  program.search();
  CHECK(program.path() == program.send);

  SECTION("not where the closed function does not stand on the stack") {
    program.words[15] = 0;
    CHECK(program.path() == 0);
  }
  SECTION("not of another function of MPI, from another place, or elsewhere on the stack") {
    CHECK(far_path(*program.process, program.location, {region_h, kind_send, program.stack_at(4), call_of_send}) == 0);
    CHECK(far_path(*program.process, program.location, {region_send, kind_send, program.stack_at(4), 0x402010}) == 0);
    CHECK(far_path(*program.process, program.location, {region_send, kind_send, program.stack_at(6), call_of_send}) ==
          0);
  }
  SECTION("not after a region was closed or opened for good") {
    program.process->windows.generation++;
    CHECK(program.path() == 0);
  }
  SECTION("not while nothing is measured") {
    switch_off(program.location, 0);
    CHECK(program.path() == 0);
  }
  SECTION("also of callers that are called from several places in turn") {
    program.words[15] = other_call_of_g;
    CHECK(program.path() == 0);
    program.search();
    CHECK(program.path() == program.send);
    program.words[15] = call_of_g;
    CHECK(program.path() == program.send);
  }
  SECTION("also of calls without a closed function between, until more is known of calls") {
    const std::uint32_t direct = make_child(program.tree, program.f, region_send, kind_send).node;
    force_slow_path(program.tree, direct, true);
    program.words[15] = 0;
    const Entered call = {region_send, kind_send, program.stack_at(4), 0x402010};
    for (int i = 0; i < 2; ++i) REQUIRE(find_caller(*program.process, program.location, call).node == program.f);
    CHECK(far_path(*program.process, program.location, call) == direct);
    learn_call_site(*program.process, program.location,
                    {region_h, ANDES_KIND_FUNCTION, program.stack_at(16), 0x403000});
    CHECK(far_path(*program.process, program.location, call) == 0);
  }
  SECTION("also after more others than there is room for") {
    Entered other = program.call();
    for (int i = 1; i <= 20'000; ++i) {
      other.caller = call_of_send + static_cast<std::uintptr_t>(16 * i);
      REQUIRE(find_caller(*program.process, program.location, other).node == program.g);
    }
    program.search();
    CHECK(program.path() == program.send);
  }
  SECTION("each time it is taken for two pairs, in a window it is the window's cost") {
    const std::uint64_t& charged = program.tree.accounts[program.send].search_ticks;
    const std::uint64_t before = charged;
    const auto use = [&] { charge_known_call(*program.process, program.location, program.path()); };
    use();
    use();
    CHECK(charged == before + 30);
    CHECK(program.tree.accounts[program.f].tool_ticks == 100 + 26 + 2 * 15); // and two searches, one of 3.5 pairs
    program.process->windows.open = true;
    use();
    CHECK(charged == before + 30);
    CHECK(program.location.window_work_ticks == 15);
  }
}

TEST_CASE("a call path that a window reveals belongs to windows from its first visit on") {
  Program program;
  const Child below = make_child(program.tree, program.send, region_g, ANDES_KIND_FUNCTION);
  program.process->windows.open = true;
  follow_visited_path(*program.process, program.location, below.node);
  const std::uint32_t record = program.tree.node(below.node).record;
  REQUIRE(record != 0);
  CHECK(program.tree.records[record].windowed);
  CHECK(program.tree.records[record].windows.cpu_ns == 0); // it stands for the whole stratum
  CHECK(is_sampled(program.tree.node(below.node)));
  CHECK_FALSE(is_due(program.tree, below.node));
}

TEST_CASE("a call path that begins after its region was opened again may have had visits before") {
  Program program;
  const Child below = make_child(program.tree, program.send, region_h, ANDES_KIND_FUNCTION);
  const std::uint32_t& since = program.tree.accounts[below.node].unseen_since;
  follow_visited_path(*program.process, program.location, below.node);
  CHECK(since == 0); // its region was never closed
  program.regions[region_h].closings = 1;
  follow_visited_path(*program.process, program.location, below.node);
  CHECK(since == 1); // all windows
  CHECK(program.tree.node(below.node).record == 0);
}

TEST_CASE("a closed call path of few visits has no record until it is visited") {
  Program program;
  Tree& tree = program.tree;
  const Child other = make_child(tree, program.f, region_h, ANDES_KIND_FUNCTION);
  tree.accounts[other.node].visits_base += 64;
  program.regions[region_h].closed = true;
  program.process->windows.generation = 1;
  follow_closings(*program.process, program.location);
  CHECK(tree.node(other.node).record != 0);
  CHECK_FALSE(waits_for_window(tree, other.node));
  CHECK(tree.node(program.g).record == 0);
  CHECK(waits_for_window(tree, program.g));
  CHECK(is_due(tree, program.g)); // its next visit takes the slow path
  set_countdown(tree, program.g, 100); // its region was open for a while
  program.process->windows.generation = 2;
  follow_closings(*program.process, program.location);
  CHECK(is_due(tree, program.g));
  CHECK(tree.visits(program.g) == 2);
  program.process->windows.open = true;
  follow_visited_path(*program.process, program.location, program.g);
  CHECK(tree.node(program.g).record != 0);
  CHECK_FALSE(waits_for_window(tree, program.g));
  CHECK_FALSE(is_due(tree, program.g));
  CHECK(tree.visits(program.g) == 2);
}

TEST_CASE("a new call path below a closed one keeps the fast path away from the one that it could be taken for") {
  Program program;
  const Child direct = make_child(program.tree, program.f, region_h, ANDES_KIND_FUNCTION);
  const Child below = make_child(program.tree, program.g, region_h, ANDES_KIND_FUNCTION);
  follow_visited_path(*program.process, program.location, below.node);
  CHECK(takes_slow_path(program.tree.accounts[direct.node]));
  CHECK_FALSE(takes_slow_path(program.tree.accounts[below.node]));
  CHECK(program.tree.node(below.node).record == 0);
}

TEST_CASE("in a window a call path has the fast path back once a visit was found to be made by the innermost one") {
  Program program;
  Tree& tree = program.tree;
  const std::uint32_t direct = make_child(tree, program.f, region_h, ANDES_KIND_FUNCTION).node;
  const std::uint32_t below = make_child(tree, program.g, region_h, ANDES_KIND_FUNCTION).node;
  const auto find = [&] {
    const Entered call = {region_h, ANDES_KIND_FUNCTION, program.stack_at(4), 0x404000};
    CHECK(find_caller(*program.process, program.location, call).node == program.f);
  };
  const auto is_shown = [&] {
    const std::uint32_t parent = tree.node(program.f).place;
    return ANDES_ENTRY_AT(tree.hot, parent, region_h)->parent == parent;
  };
  program.words[15] = 0; // f calls h
  follow_visited_path(*program.process, program.location, below);
  REQUIRE_FALSE(is_shown());
  program.process->windows.open = true;
  find();
  CHECK_FALSE(is_shown()); // its own region is open: it is visited outside of windows, too
  REQUIRE(make_sampled(tree, direct, 1));
  begin_windowed(tree, tree.records[tree.node(direct).record]);
  find();
  CHECK(is_shown());
  CHECK_FALSE(takes_slow_path(tree.accounts[direct]));
  end_showing(tree, direct);
  CHECK_FALSE(is_shown());
  program.process->windows.open = false;
  find();
  CHECK_FALSE(is_shown());
  CHECK(takes_slow_path(tree.accounts[direct]));
}

TEST_CASE("a visit below a closed function counts for it, too") {
  Program program;
  program.search();
  Tree& tree = program.tree;
  const auto ticks_of = [&](std::uint32_t node) { return tree.node(node).inclusive_ticks; };
  const std::uint64_t g_before = ticks_of(program.g), send_before = ticks_of(program.send),
                      f_before = ticks_of(program.f);
  const std::int64_t visits = tree.visits(program.send), visits_of_g = tree.visits(program.g);
  const auto enter = [&] {
    return enter_far(*program.process, program.location, program.site, program.stack_at(4), call_of_send);
  };
  andes_frame* const of_f = program.location.hot->top;
  andes_frame* frame = enter();
  REQUIRE(frame == of_f + 1);
  CHECK(program.location.hot->top == frame);
  CHECK(innermost(program.location) == program.send);
  CHECK(enter() == nullptr); // MPI itself calls
  while (ANDES_TICKS() == frame->enter_ticks) {}
  REQUIRE(leave_far(program.location, frame));
  CHECK(program.location.hot->top == of_f);
  CHECK(innermost(program.location) == program.f);
  CHECK(tree.visits(program.send) == visits + 1);
  CHECK(tree.visits(program.g) == visits_of_g);
  const std::uint64_t ticks = ticks_of(program.send) - send_before;
  CHECK(ticks > 0);
  CHECK(ticks_of(program.g) - g_before == ticks);
  CHECK(ticks_of(program.f) == f_before);

  SECTION("a caller that is only counted gets it as time that is known") {
    of_f->bits = ANDES_FRAME_UNTIMED;
    of_f->enter_ticks = 0;
    frame = enter();
    REQUIRE(leave_far(program.location, frame));
    CHECK(of_f->enter_ticks == ticks_of(program.send) - send_before - ticks);
  }
  SECTION("a thread that is held, or a visit that was stopped, takes the long path") {
    frame = enter();
    program.location.held = true;
    CHECK(!leave_far(program.location, frame));
    program.location.held = false;
    frame->bits |= ANDES_FRAME_SUSPENDED;
    CHECK(!leave_far(program.location, frame));
    frame->bits &= ~std::uint32_t{ANDES_FRAME_SUSPENDED};
    CHECK(leave_far(program.location, frame));
    CHECK(!leave_far(program.location, frame)); // not open any more
  }
}
