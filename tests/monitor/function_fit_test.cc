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

double sum(const std::vector<OwnTime>& own) {
  double ticks = 0;
  for (const OwnTime& of : own) ticks += of.ticks;
  return ticks;
}

} // namespace

TEST_CASE("own times meet samples by the variances of both") {
  // A hundred samples, half of each. The variance of a number of samples is itself, that of the time 100^2 / 2 / 100, and
  // 1 for what passes without a core. Moving d from one to the other is best where d / 100 = (10 - d) / 51.
  const std::vector<OwnTime> fitted = fit({{40, 100, 0, 0}, {60, 100, 0, 1}}, {{50, 50}});
  // Whether another thread had the core in one of the two samples do not tell.
  const std::vector<OwnTime> waiting = fit({{40, 100, 0, 0, 30}, {60, 100, 0, 1}}, {{50, 50}});
  CHECK(waiting[0].ticks == fitted[0].ticks);
  CHECK(waiting[0].variance == fitted[0].variance + 30);
  CHECK(waiting[1].variance == fitted[1].variance);
  CHECK(fitted[0].ticks == Approx(40 + 1000.0 / 151));
  CHECK(fitted[1].ticks == Approx(60 - 1000.0 / 151));
  CHECK(fitted[0].variance == Approx(100.0 * 26 / 126)); // of a share of a half: half of the number's
}

TEST_CASE("what open probes take of a function's samples is not its time") {
  // The functions' own 800 ticks and the 200 of the second one's probes make up 10,000 samples.
  const std::vector<OwnTime> fitted =
      fit({{100, 1e9, 0, 0}, {700, 1e9, 0, 1}}, {.samples = {400'000, 600'000}, .probes = {0, 200}});
  CHECK(fitted[0].ticks == Approx(400).epsilon(0.002));
  CHECK(fitted[1].ticks == Approx(400).epsilon(0.002));
  // The cost's standard error of 50 ticks is 20 of either sum, which is 0.4 of it, and 2 % of the sampled time come to that:
  // variances of 464 and 544. Moving d is best where 2 d / 1000 = (300 - d) (1 / 464 + 1 / 544).
  CHECK(fit({{100, 1e3, 0, 0}, {700, 1e3, 0, 1}}, {.samples = {400'000, 600'000}, .probes = {0, 200}})[0].ticks ==
        Approx(100 + 200).epsilon(0.005));
}

TEST_CASE("what windows do not know samples decide") {
  const std::vector<OwnTime> fitted =
      fit({{10, 1e9, 0, 0}, {10, 1e9, 0, 1}, {80, 1e9, 0, 2}}, {{500'000, 300'000, 200'000}});
  CHECK(fitted[0].ticks == Approx(50).epsilon(0.001));
  CHECK(fitted[1].ticks == Approx(30).epsilon(0.001));
  CHECK(fitted[2].ticks == Approx(20).epsilon(0.001));
}

TEST_CASE("what windows know well samples leave alone") {
  const std::vector<OwnTime> fitted = fit({{40, 1e-6, 0, 0}, {60, 1e-6, 0, 1}}, {{50, 50}});
  CHECK(fitted[0].ticks == Approx(40).epsilon(1e-4));
}

TEST_CASE("exact times stay, and so does the time of a cell") {
  // The first one is exact and of the same function as the second. The last is a cell of its own.
  const std::vector<OwnTime> own = {{100, 0, 0, 0}, {50, 1e6, 0, 0}, {50, 1e6, 0, 1}, {200, 1e6, 3, 1}};
  const std::vector<OwnTime> fitted = fit(own, {{180'000, 220'000}});
  CHECK(fitted[0].ticks == 100);
  CHECK(fitted[1].ticks == Approx(80).epsilon(0.001));
  CHECK(fitted[2].ticks == Approx(20).epsilon(0.001));
  CHECK(fitted[3].ticks == Approx(200));
  CHECK(sum(fitted) == Approx(sum(own)));
}

TEST_CASE("a function of several call paths moves them by their variances") {
  const std::vector<OwnTime> fitted = fit({{10, 1e8, 0, 0}, {10, 3e8, 0, 0}, {80, 4e8, 0, 1}}, {{600'000, 400'000}});
  CHECK(fitted[0].ticks == Approx(20).epsilon(0.001));
  CHECK(fitted[1].ticks == Approx(40).epsilon(0.001));
}

TEST_CASE("variances stay numbers, however small they are") {
  const std::vector<OwnTime> fitted = fit({{3e12, 1e24, 0, 0}, {3000, 1e4, 0, 1}}, {{1000, 1}, 100});
  CHECK(fitted[1].variance > 0);
  CHECK(fitted[1].variance <= 1e4);
  CHECK(fitted[1].ticks == Approx(3000).epsilon(0.01));
}

TEST_CASE("no own time gets negative") {
  const std::vector<OwnTime> own = {{1, 1e8, 0, 0}, {49, 1e8, 0, 0}, {50, 1e8, 0, 1}};
  const std::vector<OwnTime> fitted = fit(own, {{100'000, 900'000}});
  CHECK(fitted[0].ticks >= 0);
  CHECK(fitted[0].ticks + fitted[1].ticks == Approx(10).epsilon(0.01));
  CHECK(sum(fitted) == Approx(100));
}

TEST_CASE("samples of which nobody knows the function make all of them uncertain") {
  const std::vector<OwnTime> own = {{40, 100, 0, 0}, {60, 100, 0, 1}};
  const std::vector<OwnTime> certain = fit(own, {{5000, 5000}, 0}), uncertain = fit(own, {{5000, 5000}, 10'000});
  CHECK(certain[0].ticks > 49);
  CHECK(uncertain[0].ticks < 42);
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
  CHECK(by_both.own_error[g] < 0.06 * all); // of a share of 0.3 with 10,000 samples, and 2 % for time without a core
  CHECK(by_both.own_error[g] > 1.96 * 0.02 * 0.2 * all);
  // Other ranks may have samples, so the errors are told here, too: what is g's is not f's.
  CHECK(by_windows.own_error[g] == Approx(std::hypot(by_windows.estimates[g].above, by_windows.cost_error[g])));
  CHECK(by_windows.own_error[f] == Approx(by_windows.own_error[g]));

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
