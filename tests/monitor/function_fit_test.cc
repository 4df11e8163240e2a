// Own times that are made to agree with samples of functions: answers by hand.
#include <catch2/catch.hpp>

#include <memory>

#include "monitor/finish/derive.h"
#include "monitor/finish/function_fit.h"
#include "tests/monitor/thread.h"

using namespace andes;
using namespace andes::monitor;
using namespace andes::test;

namespace {

constexpr std::uintptr_t code_f = 0x1000, code_g = 0x2000, code_h = 0x3000;

/// Samples as the thread of the windows would have counted them, of functions with probes.
class Counted {
public:
  void add(std::uintptr_t function, std::uint32_t samples) {
    FunctionCount& count = *count_of(*samples_, function);
    count.has_probe = true;
    count.periods += samples;
    samples_->taken += samples;
    samples_->periods += samples;
    samples_->periods2 += samples;
  }
  FunctionSamples& operator*() { return *samples_; }
  Sampling sampling(double cost_ticks = 0) const { return {samples_.get(), 1000, cost_ticks}; }

private:
  std::unique_ptr<FunctionSamples> samples_ = std::make_unique<FunctionSamples>();
};

/// A caller with exact visits, which lies in function 0.
KnownTime exact(double own) { return {.own = own, .variance = 0, .parent = 0, .function = 0}; }

/// What is estimated of a call path without callees.
KnownTime estimated(double ticks, double variance, std::int32_t function, std::uint32_t parent = 0) {
  return {.own = ticks, .variance = variance, .parent = parent, .function = function, .estimated = ticks};
}

double sum(const std::vector<FittedTime>& fitted) {
  double ticks = 0;
  for (const FittedTime& of : fitted) ticks += of.own;
  return ticks;
}

} // namespace

TEST_CASE("estimates meet samples by the variances of both") {
  // A hundred samples, half of each. The variance of a number of samples is itself, that of the time 100^2 / 2 / 100, and
  // 1 for what passes without a core. Moving d from one to the other is best where d / 100 = 2 (10 - d) / 51.
  const auto fitted = fit({exact(40), estimated(60, 100, 1)}, {{50, 50}});
  CHECK(fitted[0].own == Approx(40 + 2000.0 / 251));
  CHECK(fitted[1].own == Approx(60 - 2000.0 / 251));
  CHECK(fitted[1].moved == Approx(-2000.0 / 251).epsilon(1e-4));
  CHECK(fitted[0].moved == 0);
  // Of a share of a half: half of the number's.
  CHECK(fitted[0].own_variance == Approx(100.0 * 26 / 126));
  CHECK(fitted[1].own_variance == Approx(100.0 * 26 / 126));
  CHECK(fitted[1].variance == Approx(100.0 * 26 / 126));
  // Whether another thread had the core in one of the two samples do not tell.
  std::vector<KnownTime> known = {exact(40), estimated(60, 100, 1)};
  known[1].waits = 30;
  const auto waiting = fit(known, {{50, 50}});
  CHECK(waiting[1].own == fitted[1].own);
  CHECK(waiting[1].variance == fitted[1].variance + 30);
  CHECK(waiting[0].own_variance == fitted[0].own_variance + 30);
}

TEST_CASE("the error of a function is less than those of its call paths together") {
  // As above, but for two call paths with a variance of 100 together, of which 100 * 26 / 126 remain.
  std::vector<KnownTime> known = {exact(40), estimated(30, 60, 1), estimated(30, 40, 1)};
  known[1].region = known[2].region = 1;
  const auto fitted = fit(known, {{50, 50}});
  CHECK(fitted[1].own_variance == Approx(60 * (1 - 60.0 / 126)));
  CHECK(fitted[2].own_variance == Approx(40 * (1 - 40.0 / 126)));
  CHECK(fitted[1].in_region + fitted[2].in_region == Approx(100.0 * 26 / 126));
  CHECK(fitted[1].in_region / fitted[2].in_region == Approx(fitted[1].own_variance / fitted[2].own_variance));
  CHECK(fitted[0].in_region == Approx(fitted[0].own_variance)); // alone

  SECTION("how a recursion divides its time does not matter to it") {
    known.push_back(estimated(5, 1e6, 1, 2));
    known.back().region = 1;
    known[2].own = 25;
    const auto divided = fit(known, {{50, 50}});
    CHECK(divided[3].own_variance == Approx(1e6));
    CHECK(divided[1].in_region + divided[2].in_region + divided[3].in_region == Approx(100.0 * 26 / 126));
  }
  SECTION("two regions in the same code are not better known than it") {
    known[2].region = 2;
    const auto apart = fit(known, {{50, 50}});
    CHECK(apart[1].in_region == Approx(apart[1].own_variance));
    CHECK(apart[2].in_region == Approx(apart[2].own_variance));
  }
  SECTION("waits for a core are known by themselves") {
    known[1].waits = 30;
    known[2].waits = 40;
    const auto waiting = fit(known, {{50, 50}});
    CHECK(waiting[1].in_region + waiting[2].in_region == Approx(100.0 * 26 / 126 + 70));
  }
}

TEST_CASE("samples of a function move nothing between call paths that both lie in it") {
  // Of 100 ticks the samples give h 20 in place of 40. f is the code of all others: how g and what it calls, which is
  // inlined, divide their time is as little known as before, and so is what g takes with it.
  const std::vector<KnownTime> known = {exact(10),
                                        {.own = 30, .variance = 1, .parent = 0, .function = 0, .estimated = 50},
                                        estimated(20, 1e4, 0, 1),
                                        estimated(40, 1e6, 1)};
  const auto fitted = fit(known, {{800'000, 200'000}});
  CHECK(fitted[3].own == Approx(20).epsilon(0.01));
  CHECK(fitted[0].own == Approx(30).epsilon(0.01));
  CHECK(fitted[1].own == 30);
  CHECK(fitted[2].own == 20);
  CHECK(fitted[1].variance == 1);
  CHECK(fitted[2].own_variance == 1e4);
}

TEST_CASE("what open probes take of a function's samples is not its time") {
  // The functions' own 800 ticks and the 200 of the second one's probes make up 10,000 samples.
  const auto fitted = fit({exact(100), estimated(700, 1e9, 1)}, {.samples = {400'000, 600'000}, .probes = {0, 200}});
  CHECK(fitted[0].own == Approx(400).epsilon(0.002));
  CHECK(fitted[1].own == Approx(400).epsilon(0.002));
  // The cost's standard error of 50 ticks is 20 of either sum, which is 0.4 of it, and 2 % of the sampled time come to that:
  // variances of 464 and 544. Moving d is best where d / 500 = (300 - d) (1 / 464 + 1 / 544).
  CHECK(fit({exact(100), estimated(700, 500, 1)}, {.samples = {400'000, 600'000}, .probes = {0, 200}})[0].own ==
        Approx(100 + 200).epsilon(0.005));
}

TEST_CASE("what windows do not know samples decide") {
  const auto fitted = fit({exact(10), estimated(10, 1e9, 1), estimated(80, 1e9, 2)}, {{500'000, 300'000, 200'000}});
  CHECK(fitted[0].own == Approx(50).epsilon(0.001));
  CHECK(fitted[1].own == Approx(30).epsilon(0.001));
  CHECK(fitted[2].own == Approx(20).epsilon(0.001));
}

TEST_CASE("what windows know well samples leave alone") {
  CHECK(fit({exact(40), estimated(60, 1e-6, 1)}, {{50, 50}})[0].own == Approx(40).epsilon(1e-4));
}

TEST_CASE("a function of several call paths moves them by their variances") {
  // Two callees of f lie in g: of 60 ticks more it gets, three quarters go to the one that is known worse.
  const auto fitted = fit({exact(80), estimated(10, 1e8, 1), estimated(10, 3e8, 1)}, {{200'000, 800'000}});
  CHECK(fitted[1].own == Approx(25).epsilon(0.001));
  CHECK(fitted[2].own == Approx(55).epsilon(0.001));
}

TEST_CASE("exact times stay, and so does the time of each exact caller") {
  // The first one has an exact callee, which has an estimated one.
  const std::vector<KnownTime> known = {exact(100),
                                        {.own = 50, .variance = 0, .parent = 0, .function = 1},
                                        estimated(50, 1e6, 0, 1),
                                        estimated(200, 1e6, 1)};
  const auto fitted = fit(known, {{200'000, 200'000}});
  CHECK(fitted[1].own + fitted[2].own == Approx(100));
  CHECK(fitted[0].own + fitted[3].own == Approx(300));
  CHECK(sum(fitted) == Approx(400));
}

TEST_CASE("variances stay numbers, however small they are") {
  const auto fitted = fit({exact(3e12), estimated(3000, 1e4, 1)}, {{1000, 1}, 100});
  CHECK(fitted[1].variance > 0);
  CHECK(fitted[1].variance <= 1e4);
  CHECK(fitted[1].own == Approx(3000).epsilon(0.01));
}

TEST_CASE("no own time and no estimate gets negative") {
  // Samples give 90 ticks to the last: its estimate takes from what its caller has, not below nothing.
  const auto fitted = fit({exact(40), estimated(10, 1e8, 0), estimated(50, 1e8, 1)}, {{100'000, 900'000}});
  CHECK(fitted[0].own >= -0.01);
  CHECK(fitted[0].own == Approx(0).margin(0.01));
  CHECK(fitted[2].own == Approx(90).epsilon(0.01));
  CHECK(sum(fitted) == Approx(100));
  // Samples give less to g than its exact visits have taken: its estimate becomes nothing.
  std::vector<KnownTime> known = {exact(40), estimated(60, 1e8, 1)};
  known[1].estimated = 20;
  const auto none = fit(known, {{900'000, 100'000}});
  CHECK(none[1].moved == Approx(-20).epsilon(0.001));
  // Estimates that are more than their caller has are made to fit, by their variances.
  const auto fits = fit({exact(-40), estimated(60, 3e4, 1), estimated(80, 1e4, 1)}, {{1, 99'999}});
  CHECK(fits[0].own == Approx(0).margin(0.01));
  CHECK(fits[1].own == Approx(30).epsilon(0.02));
  CHECK(fits[2].own == Approx(70).epsilon(0.02));
}

TEST_CASE("estimates of more than a caller of unknown code has leave the shares of the samples") {
  // 1,660 of the 2,060 ticks that windows tell too many are the first one's: it is not told nothing for that.
  std::vector<KnownTime> known = {exact(-4060), estimated(3780, 3e6, 0), estimated(1240, 3e5, 1),
                                  estimated(940, 3e5, 2)};
  known[0].function = -1;
  const auto fitted = fit(known, {{3000, 9000, 8000}});
  CHECK(fitted[0].own == Approx(0).margin(1));
  CHECK(fitted[1].own == Approx(1900 * 0.15).epsilon(0.02));
  CHECK(fitted[2].own == Approx(1900 * 0.45).epsilon(0.02));
  CHECK(fitted[3].own == Approx(1900 * 0.4).epsilon(0.02));
}

TEST_CASE("samples of which nobody knows the function make all of them uncertain") {
  const std::vector<KnownTime> known = {exact(40), estimated(60, 100, 1)};
  const auto certain = fit(known, {{5000, 5000}, 0}), uncertain = fit(known, {{5000, 5000}, 10'000});
  CHECK(certain[0].own > 49);
  CHECK(uncertain[0].own < 43);
}

TEST_CASE("time that windows give to a closed function goes back to its caller where samples say so") {
  Thread thread;
  Tree& tree = thread.location.tree;
  andes_frame* caller = thread.enter(region_f);
  const std::uint32_t f = innermost(thread.location);
  const auto [g, record] = [&] {
    Child child;
    if (!find_child(tree, f, region_g, ANDES_KIND_FUNCTION, child))
      child = make_child(tree, f, region_g, ANDES_KIND_FUNCTION);
    make_sampled(tree, child.node, 1);
    SampleRecord& of = tree.records[tree.node(child.node).record];
    begin_windowed(tree, of);
    return std::pair<std::uint32_t, SampleRecord*>(child.node, &of);
  }();
  tree.accounts[f].function = code_f;
  tree.accounts[g].function = code_g;
  // Windows see visits of 100 ticks that make up 600,000 of 1,000,000; half of that is their probes'.
  for (int window = 0; window < 60; ++window) {
    for (int i = 0; i < 5; ++i) add_timed(record->windows, 100, 0);
    add_window(record->windows, {10, 10, 100, 1000, 0, record->windows.visits_seen + 10, window % 2 == 1});
  }
  thread.now += 1'000'000;
  thread.leave(caller);
  close_frames(thread.location, thread.now);
  const ProbeCosts costs = with_inner_part({.timed = 60, .ticks_per_ms = 1000}, 20);

  const Derived by_windows = derive(tree, costs);
  REQUIRE(by_windows.exclusive[g] > 400'000);

  Counted counted;
  counted.add(code_f, 7000);
  counted.add(code_g, 3000);
  counted.add(code_h, 1000); // never seen in a window: its visits are in no call path
  const Derived by_both = derive(tree, costs, {}, counted.sampling());
  const double all = by_windows.exclusive[f] + by_windows.exclusive[g];
  CHECK(by_both.exclusive[g] == Approx(0.3 * all).epsilon(0.08));
  CHECK(by_both.exclusive[f] == Approx(0.7 * all).epsilon(0.08));
  CHECK(by_both.inclusive[f] == by_windows.inclusive[f]);
  CHECK(by_both.visits[g] == by_windows.visits[g]);
  CHECK(by_both.cost_error[g] < by_windows.cost_error[g] / 2);
  CHECK(by_both.own_errors.each[g] <
        0.06 * all); // of a share of 0.3 with 10,000 samples, and 2 % for time without a core
  CHECK(by_both.own_errors.each[g] > 1.96 * 0.02 * 0.2 * all);
  CHECK(by_both.own_errors.in_region[g] == Approx(by_both.own_errors.each[g])); // its only call path
  CHECK(by_windows.own_errors.in_region == by_windows.own_errors.each);
  // Other ranks may have samples, so the errors are told here, too: what is g's is not f's.
  CHECK(by_windows.own_errors.each[g] == Approx(std::hypot(by_windows.estimates[g].above, by_windows.cost_error[g])));
  CHECK(by_windows.own_errors.each[f] == Approx(by_windows.own_errors.each[g]));

  SECTION("what samples take of the thread's time is the tool's") {
    const Derived dear = derive(tree, costs, {}, counted.sampling(5));
    CHECK(dear.exclusive[node_tool] - by_both.exclusive[node_tool] == Approx(5 * 11'000).epsilon(0.01));
  }
  SECTION("what samples take is not more where windows tell more than the caller's time") {
    for (int window = 0; window < 60; ++window) {
      for (int i = 0; i < 5; ++i) add_timed(record->windows, 5000, 0);
      add_window(record->windows, {10, 10, 100, 1000, 0, record->windows.visits_seen + 10, window % 2 == 1});
    }
    const Derived cheap = derive(tree, costs, {}, counted.sampling()),
                  dear = derive(tree, costs, {}, counted.sampling(5));
    CHECK(dear.exclusive[node_tool] - cheap.exclusive[node_tool] == Approx(5 * 11'000).epsilon(0.01));
    CHECK(cheap.exclusive[g] == Approx(0.3 * all).epsilon(0.08));
  }
  SECTION("an estimate of more than its exact caller's time is wrong by that, however sure it seems") {
    // The few visits that have lost the core tell of waits 70 times as long as the run, and samples nothing of waits.
    record->interrupted = {12, 12e5, 12e10};
    const CoreLoss loss = {
        .share = 0.1, .measured_share = 0.1, .wait_ticks = 1000, .core_ticks = 1e6, .is_noticed = true};
    CHECK(derive(tree, costs, loss, counted.sampling()).exclusive[g] == Approx(0.3 * all).epsilon(0.08));
  }
  SECTION("time before regions were closed is not divided by samples") {
    double before[8] = {}, visits_before[8] = {};
    before[f] = 300'000;
    (*counted).own_before = before;
    (*counted).visits_before = visits_before;
    (*counted).nodes_before = tree.node_count;
    const Derived later = derive(tree, costs, {}, counted.sampling());
    CHECK(later.exclusive[f] == Approx(300'000 + 0.7 * (all - 300'000)).epsilon(0.08));
  }
  SECTION("a block whose begin and end are calls is of the function around it") {
    Child block;
    if (!find_child(tree, f, region_h, ANDES_KIND_BLOCK, block))
      block = make_child(tree, f, region_h, ANDES_KIND_BLOCK);
    tree.node(block.node).inclusive_ticks = 200'000; // of those that f had for its own
    const Derived with_block = derive(tree, costs, {}, counted.sampling());
    CHECK(with_block.exclusive[block.node] == 200'000);
    CHECK(with_block.exclusive[f] == Approx(0.7 * all - 200'000).epsilon(0.08));
    CHECK(with_block.exclusive[g] == Approx(0.3 * all).epsilon(0.08));
  }
  SECTION("closed calls of MPI are told by the samples in MPI, by who has called") {
    Child poll;
    if (!find_child(tree, f, region_send, ANDES_KIND_LOCAL, poll))
      poll = make_child(tree, f, region_send, ANDES_KIND_LOCAL);
    make_sampled(tree, poll.node, 1);
    SampleRecord& of = tree.records[tree.node(poll.node).record];
    begin_windowed(tree, of);
    for (int window = 0; window < 8; ++window) {
      if (window % 2 == 0) add_timed(of.windows, 20 + 2 * window, 0); // one visit tells little
      add_window(of.windows, {10, 10, 100, 7500, 0, of.windows.visits_seen + 10, window % 2 == 1});
    }
    count_of(*counted, code_f)->apart_periods = 5000;
    (*counted).taken += 5000;
    (*counted).periods += 5000;
    (*counted).periods2 += 5000;
    const Derived polled = derive(tree, costs, {}, counted.sampling());
    CHECK(polled.exclusive[f] == Approx(7.0 / 15 * all).epsilon(0.1));
    CHECK(polled.exclusive[g] == Approx(3.0 / 15 * all).epsilon(0.1));
    CHECK(polled.exclusive[poll.node] == Approx(5.0 / 15 * all).epsilon(0.1));
    // Where f makes other calls, too, these samples are not for the polls alone.
    Child send;
    if (!find_child(tree, f, region_h, ANDES_KIND_SEND, send)) send = make_child(tree, f, region_h, ANDES_KIND_SEND);
    tree.node(send.node).inclusive_ticks = 100'000;
    const Derived sent = derive(tree, costs, {}, counted.sampling());
    CHECK(sent.exclusive[send.node] == 100'000);
    CHECK(sent.exclusive[g] / sent.exclusive[f] == Approx(3.0 / 7).epsilon(0.1));
  }
  SECTION("no caller is left with less than nothing where samples tell less than what is exact") {
    tree.node(g).inclusive_ticks += 500'000; // of visits that were all timed
    Child other;
    if (!find_child(tree, f, region_h, ANDES_KIND_FUNCTION, other))
      other = make_child(tree, f, region_h, ANDES_KIND_FUNCTION);
    tree.accounts[other.node].function = code_h;
    make_sampled(tree, other.node, 1);
    SampleRecord& of = tree.records[tree.node(other.node).record];
    begin_windowed(tree, of);
    for (int window = 0; window < 60; ++window) {
      for (int i = 0; i < 5; ++i) add_timed(of.windows, 20 + window, 0);
      add_window(of.windows, {10, 10, 100, 1000, 0, of.windows.visits_seen + 2, window % 2 == 1});
    }
    counted.add(code_h, 80'000);
    const Derived fitted = derive(tree, costs, {}, counted.sampling());
    for (const std::uint32_t node : {f, g, other.node}) CHECK(fitted.exclusive[node] > -1);
    CHECK(fitted.inclusive[g] >= 500'000);
    CHECK(fitted.exclusive[f] + fitted.inclusive[g] + fitted.inclusive[other.node] == Approx(fitted.inclusive[f]));
  }
  SECTION("few samples, or many lost ones, tell nothing") {
    Counted few;
    few.add(code_f, 20);
    few.add(code_g, 20);
    CHECK(derive(tree, costs, {}, few.sampling()).exclusive[g] == by_windows.exclusive[g]);
    (*counted).lost = 10'000;
    CHECK(derive(tree, costs, {}, counted.sampling()).exclusive[g] == by_windows.exclusive[g]);
  }
}

TEST_CASE("no error is larger than the time of the exact caller") {
  Thread thread;
  Tree& tree = thread.location.tree;
  andes_frame* caller = thread.enter(region_f);
  const std::uint32_t f = innermost(thread.location);
  const std::uint32_t g = make_child(tree, f, region_g, ANDES_KIND_FUNCTION).node;
  make_sampled(tree, g, 1);
  SampleRecord& record = tree.records[tree.node(g).record];
  begin_windowed(tree, record);
  // Windows tell of 6,000 visits of 1,000 ticks, and their probes may be all of it.
  for (int window = 0; window < 60; ++window) {
    for (int i = 0; i < 5; ++i) add_timed(record.windows, 1000, 0);
    add_window(record.windows, {10, 10, 100, 1000, 0, record.windows.visits_seen + 10, window % 2 == 1});
  }
  thread.now += 1'000'000;
  thread.leave(caller);
  close_frames(thread.location, thread.now);
  const Derived derived = derive(tree, with_inner_part({.timed = 2000, .ticks_per_ms = 1000}, 900));
  REQUIRE(derived.inclusive[f] > 0);
  CHECK(derived.cost_error[g] <= 1'000'000);
  CHECK(derived.own_errors.each[g] <= 1'000'000);
  CHECK(derived.own_errors.each[f] <= 1'000'000);
}

TEST_CASE("of estimates that are more than their caller has, that is shortened which is known worse") {
  Thread thread;
  Tree& tree = thread.location.tree;
  andes_frame* caller = thread.enter(region_f);
  const std::uint32_t f = innermost(thread.location);
  const auto windowed = [&](std::uint32_t region) {
    const Child child = make_child(tree, f, region, ANDES_KIND_FUNCTION);
    make_sampled(tree, child.node, 1);
    begin_windowed(tree, tree.records[tree.node(child.node).record]);
    return child.node;
  };
  const auto windows_of_node = [&](std::uint32_t node) -> WindowSums& {
    return tree.records[tree.node(node).record].windows;
  };
  // Ten visits of 100 ticks in each window: 600,000 of 1,000,000 ticks.
  const std::uint32_t g = windowed(region_g);
  for (int window = 0; window < 60; ++window) {
    for (int i = 0; i < 5; ++i) add_timed(windows_of_node(g), 100, 0);
    add_window(windows_of_node(g), {10, 10, 100, 1000, 0, windows_of_node(g).visits_seen + 10, window % 2 == 1});
  }
  thread.now += 1'000'000;
  thread.leave(caller);
  close_frames(thread.location, thread.now);
  const ProbeCosts none = {.ticks_per_ms = 1000};
  const double alone = derive(tree, none).inclusive[g];
  REQUIRE(alone > 500'000);
  // The same of h, but in one of six windows all of them.
  const std::uint32_t h = windowed(region_h);
  for (int window = 0; window < 60; ++window) {
    const int visits = window % 6 == 0 ? 60 : 0;
    for (int i = 0; i < visits / 2; ++i) add_timed(windows_of_node(h), 100, 0);
    add_window(windows_of_node(h), {10, 10, 100, 1000, 0, windows_of_node(h).visits_seen + visits, window % 2 == 1});
  }
  const Derived both = derive(tree, none);
  CHECK(both.inclusive[g] == Approx(alone).epsilon(0.02));
  CHECK(both.inclusive[h] == Approx(1'000'000 - both.inclusive[g]).epsilon(0.01));
  // A caller without any time has no room for either.
  tree.node(f).inclusive_ticks = 0;
  const Derived nothing = derive(tree, none);
  CHECK(nothing.inclusive[g] == 0);
  CHECK(nothing.inclusive[h] == 0);
  CHECK(nothing.exclusive[f] == 0);
}
