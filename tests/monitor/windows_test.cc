// What windows tell: the sums of hand-made windows, and how often the intervals hold the truth.
#include <catch2/catch.hpp>

#include <sys/syscall.h>
#include <unistd.h>

#include <cmath>
#include <memory>
#include <random>

#include "monitor/core/process.h"
#include "monitor/core/window_cost.h"
#include "monitor/core/window_part.h"
#include "monitor/core/window_paths.h"
#include "monitor/finish/derive.h"
#include "monitor/finish/student.h"
#include "monitor/finish/window_estimate.h"
#include "monitor/system/thread_time.h"
#include "tests/monitor/thread.h"

using namespace andes;
using namespace andes::monitor;
using namespace andes::test;

namespace {

/// A window of 100 ns, 1,000 ns after the one before.
void add(WindowSums& sums, std::int64_t visits, std::uint64_t timed, double ticks_each, bool ends_round) {
  for (std::uint64_t i = 0; i < timed; ++i) add_timed(sums, ticks_each, 0);
  add_window(sums, {10, 10, 100, 1000, 0, sums.visits_seen + visits, ends_round});
}
/// A round of two such windows, both with visits, the first with timed ones.
void add_round(WindowSums& sums, std::int64_t visits, std::uint64_t timed, double ticks_each) {
  static_assert(windows_a_round == 2);
  add(sums, visits, timed, ticks_each, false);
  add(sums, visits, 0, 0, true);
}

/// Times at which visits begin, and how long they take, ns.
struct Visits {
  std::vector<double> begins, ns;
  double length_ns = 0;
};

/// As windows.cc has them: a window from a random place in each stratum on, of longer ones in the second half of the run;
/// in one of two the visits of its middle part are timed. A visit is seen where it begins.
WindowSums seen(const Visits& visits, std::mt19937& random) {
  constexpr double open_ns = 1000, part_begin_ns = 200, part_ns = 400;
  WindowSums sums;
  std::size_t at = 0;
  double before = 0, begin = 0;
  std::uniform_real_distribution<> share(0, 1);
  std::uint32_t window = 0, chosen = 0;
  while (begin + 30'000 <= visits.length_ns) {
    const double stratum_ns = begin < visits.length_ns / 2 ? 5'000 : 10'000;
    const double open = std::max(before, begin + share(random) * stratum_ns);
    if (window == 0) chosen = static_cast<std::uint32_t>(random()) % windows_a_round;
    std::int64_t count = 0;
    for (; at < visits.begins.size() && visits.begins[at] < open + open_ns; ++at) {
      if (visits.begins[at] < open) continue;
      ++count;
      const double since_opening = visits.begins[at] - open;
      if (window == chosen && since_opening >= part_begin_ns && since_opening < part_begin_ns + part_ns)
        add_timed(sums, std::floor(visits.ns[at]), 0);
    }
    window = (window + 1) % windows_a_round;
    add_window(sums, {stratum_ns / open_ns, stratum_ns / part_ns, open_ns, open + open_ns - before, 0,
                      sums.visits_seen + count, window == 0});
    before = open + open_ns;
    begin += stratum_ns;
  }
  sums.cpu_ns += visits.length_ns - before;
  return sums;
}

double sum_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

// They are the values whose own variance puts the estimate as far away as they are, unless that is more than twice it:
// then as far as those of half / 2, exp(2 asinh 1) = (1 + sqrt 2)^2 times as much.
void check_ends(double value, const Distances& found, double half) {
  if (half > 2 * value) {
    CHECK(found.above == Approx(half / 2 * (2 + 2 * std::sqrt(2.0))));
    return;
  }
  const double low = value - found.below, high = value + found.above;
  CHECK(value - low == Approx(half * std::sqrt(low / value)));
  CHECK(high - value == Approx(half * std::sqrt(high / value)));
}

} // namespace

TEST_CASE("windows that are all alike leave no error") {
  WindowSums sums;
  for (int i = 0; i < 20; ++i) add_round(sums, 5, 2, 15);
  const WindowEstimate found = estimate(sums);
  CHECK(found.visits == Approx(40 * 5 * 10)); // a tenth of the time was seen
  CHECK(found.visits_error.below == Approx(0).margin(1e-9));
  CHECK(found.visits_error.above == Approx(0).margin(1e-9));
  CHECK(found.ticks.total == Approx(2000 * 15));
  CHECK(found.ticks.reliable);
  CHECK(sums.visits == 200);
}

TEST_CASE("the error of visits is that of successive differences between rounds") {
  WindowSums sums;
  for (int i = 0; i < 20; ++i) add_round(sums, i % 2 == 0 ? 4 : 6, 1, 15);
  // Weighted: 80 and 120 in turn, of 20 rounds: a variance of 20 x 1600 / 2 = 16,000. They tell as much as
  // 2000^2 / (16,000 + 20 x 100^2) = 18.52 equal rounds: t of 9.26 degrees of freedom is 2.25.
  const WindowEstimate found = estimate(sums);
  CHECK(found.visits == Approx(2000));
  const double degrees = 0.5 * 2000 * 2000 / (16'000 + 200'000);
  CHECK(degrees == Approx(9.26).epsilon(0.001));
  check_ends(2000, found.visits_error, student_quantile(degrees) * std::sqrt(16'000.0 * 18.5185 / 17.5185));
}

TEST_CASE("a few heavy rounds among many light ones are few rounds") {
  WindowSums sums;
  for (int i = 0; i < 40; ++i) add_round(sums, i % 10 == 0 ? 500 : 5, i % 10 == 0 ? 100 : 1, 10);
  // Weighted visits: four rounds with 10,000, the others with 100. But for the first each makes two differences: seven
  // with 9,900^2, a variance of 40 / 39 x 7 / 2 x 9,900^2. In mean squares, 8,795,769 of the differences and
  // 1,090^2 of the mean: 1,090^2 x 40 / (8,795,192 + 1,090^2) equal rounds.
  const double variance = 40.0 / 39 * 7 / 2 * 9900 * 9900, equal = 40 * 1090.0 * 1090 / (variance / 40 + 1090.0 * 1090);
  CHECK(equal == Approx(4.76).epsilon(0.001));
  // t of half as many degrees of freedom.
  const WindowEstimate found = estimate(sums);
  CHECK(found.visits == Approx(43'600));
  check_ends(43'600, found.visits_error, student_quantile(equal / 2) * std::sqrt(variance * equal / (equal - 1)));
}

TEST_CASE("visits may be more than told by what counting them costs at most, and fewer by what it costs at least") {
  const double cost_ns = GENERATE(40, 400);
  WindowSums sums;
  for (int i = 0; i < 20; ++i) {
    for (int timed = 0; timed < 2; ++timed) add_timed(sums, 15, 0);
    add_window(sums, {10, 10, 100, 1000, cost_ns, sums.visits_seen + 5, i % 2 == 1});
  }
  const WindowEstimate found = estimate(sums);
  CHECK(found.visits == Approx(20 * 5 * 10));
  // 1.5 times what the loop takes are taken out, and may be 0.2 or 2.8 of it: of 100 + 40 ns were the program's 134.7, or
  // 65.3; of 100 + 400 446.7, or less than the quarter of 100 at which it ends. All windows are alike.
  const double longest = cost_ns == 40 ? 100 + 40 * 1.3 / 1.5 : 100 + 400 * 1.3 / 1.5,
               shortest = cost_ns == 40 ? 100 - 40 * 1.3 / 1.5 : 25;
  CHECK(found.visits - found.visits_cost.below == Approx(1000 * 100 / longest));
  CHECK(found.visits + found.visits_cost.above == Approx(1000 * 100 / shortest));
  CHECK(found.visits_error.above == Approx(0).margin(1e-9));
  CHECK(found.ticks.total - found.ticks.below == Approx(15'000 * 100 / longest));
  CHECK(found.ticks.total + found.ticks.above == Approx(15'000 * 100 / shortest));
}

TEST_CASE("visits in windows that were nothing but cost may be four times as many") {
  const double cost_ns = GENERATE(0, 400);
  WindowSums sums;
  for (int i = 0; i < 20; ++i) {
    const bool is_visited = i == 7;
    if (is_visited) add_timed(sums, 15, 0);
    add_window(sums, {10, 10, is_visited ? 0.0 : 100.0, 1000, cost_ns, is_visited ? 5 : sums.visits_seen, i % 2 == 1});
  }
  const WindowEstimate found = estimate(sums);
  CHECK(found.visits == Approx(20'000 * 50 / 19'000.0));
  CHECK(std::isfinite(found.visits_error.above));
  CHECK(found.visits_cost.above >= 3 * found.visits);
  CHECK(std::hypot(found.visits_error.below, found.visits_cost.below) ==
        Approx(found.visits - 5)); // those were counted
  CHECK(std::isfinite(found.ticks.above));
  CHECK(found.ticks.above >= 3 * found.ticks.total / 2);
  CHECK(found.ticks.below == Approx(found.ticks.total));
}

TEST_CASE("the ends of a time's interval have the variance of their own values") {
  WindowSums sums;
  for (int i = 0; i < 6; ++i) add_round(sums, 10, 10, i % 2 == 0 ? 40 : 160);
  const Estimate found = estimate(sums).ticks;
  // The mean of 6 equal rounds of 40 and 160 in turn: a variance of 120^2 / 2 / 6 x 6 / 5, for 1,200 visits.
  const double half = student_quantile(3) * 1200 * std::sqrt(120.0 * 120 / 2 / 5);
  CHECK(found.total == Approx(120'000));
  CHECK(found.variance == Approx(1200.0 * 1200 * 120 * 120 / 2 / 5));
  check_ends(found.total, {found.below, found.above}, half);
}

TEST_CASE("the upper end of a time that is small against its error does not grow without bounds") {
  // What callees below take on the average has been left out of the visits: of 100 ticks a visit stay 10, or nearly none.
  const double ticks = GENERATE(0.0, 0.001, 10.0);
  WindowSums sums;
  for (int i = 0; i < 6; ++i) add_round(sums, 10, 10, ticks + (i % 2 == 0 ? -60 : 60));
  const Estimate found = estimate(sums).ticks;
  const double half = student_quantile(3) * 1200 * std::sqrt(120.0 * 120 / 2 / 5);
  CHECK(found.total == Approx(1200 * ticks).margin(1e-6));
  // As those of half / 2 with the same error: exp(2 asinh 1) = (1 + sqrt 2)^2 times as much, and as little.
  CHECK(found.above == Approx(half / 2 * (2 + 2 * std::sqrt(2.0))));
  CHECK(found.below == Approx(found.total).margin(1e-6));
}

TEST_CASE("a sum that came from less than two rounds of equal weight has three times the variance") {
  WindowSums sums;
  const int first = GENERATE(0, 100);
  for (int i = 0; i < 3; ++i) add_round(sums, i == 1 ? 400 : i == 0 ? first : 0, 0, 0);
  // Weighted visits of rounds: 0, 8,000, 0 or 2,000, 8,000, 0; differences d: the variance is 3 / 2 / 2 sum d^2, and
  // n = M^2 / (variance + M^2 / 3) with the sum M: 0.55 or 0.92.
  const double whole = 8000 + 20 * first, squares = (8000.0 - 20 * first) * (8000.0 - 20 * first) + 8000.0 * 8000;
  CHECK(whole * whole / (0.75 * squares + whole * whole / 3) == Approx(first == 0 ? 0.545 : 0.923).epsilon(0.001));
  CHECK(estimate(sums).visits == Approx(whole));
  check_ends(whole, estimate(sums).visits_error, student_quantile(2) * std::sqrt(0.75 * squares * 3));
}

TEST_CASE("timed visits count by the part of the window in which they were timed") {
  WindowSums sums;
  const auto add_timed_part = [&sums](std::int64_t visits, int timed, double ticks, double timed_weight) {
    for (int i = 0; i < timed; ++i) add_timed(sums, ticks, 0);
    add_window(sums, {10, timed_weight, 100, 1000, 0, sums.visits_seen + visits, true});
  };
  for (int i = 0; i < 10; ++i) {
    add_timed_part(8, 2, 100, 40); // in a fourth of it
    add_timed_part(2, 2, 10, 10);
  }
  CHECK(estimate(sums).ticks.total == Approx(10 * 10 * (8 * 100 + 2 * 10)));
}

TEST_CASE("visits that are longer where fewer of them begin in a window are not taken for all") {
  WindowSums sums;
  const auto add_timed_round = [&sums](int timed, double ticks) {
    add(sums, 10, std::uint64_t(timed), ticks, false);
    add(sums, 10, 0, 0, true);
  };
  for (int i = 0; i < 5; ++i)
    for (const int timed : {30, 0, 10, 0}) add_timed_round(timed, timed == 30 ? 10 : 30);
  // Weighted, timed visits of rounds are 300, 0, 100, 0 and so on, and their ticks 3000, 0, 3000, 0. The 19 differences
  // have the squares 4 x (2 x 300^2 + 2 x 100^2) + 300^2 + 2 x 100^2 = 910,000 in the first column, and 11,100,000 in the
  // product of both. So the sums, 2,000 and 30,000, have a relative variance of 20 / 19 x 455,000 / 2,000^2 = 0.11974 and
  // a relative covariance of 20 / 19 x 5,550,000 / 60,000,000 = 0.09737. Visits do not vary.
  const WindowEstimate found = estimate(sums);
  CHECK(found.visits == Approx(20 * 20 * 10));
  CHECK(found.ticks.total == Approx(4000 * 15 * 1.09737 / 1.11974).epsilon(1e-5));
}

TEST_CASE("windows of a round that is not whole count, but do not tell an error") {
  WindowSums sums;
  add(sums, 50, 50, 10, true);
  for (int i = 0; i < 20; ++i) add_round(sums, 5, 1, 10);
  add(sums, 50, 50, 10, false);
  const WindowEstimate found = estimate(sums);
  CHECK(found.visits == Approx(10 * (200 + 100)));
  CHECK(found.visits_error.below == Approx(0).margin(1e-9));
  CHECK(found.visits_error.above == Approx(0).margin(1e-9));
}

TEST_CASE("what is seen in few rounds is not reliable, and nothing is nothing") {
  WindowSums sums;
  CHECK(estimate(sums).visits == 0);
  add_round(sums, 5, 1, 10);
  CHECK(estimate(sums).visits_error.below == Approx(90)); // one round does not tell how they differ; it saw 10
  CHECK(estimate(sums).visits_error.above == Approx(100));
  CHECK(estimate(sums).ticks.above == Approx(1000));
  CHECK(!estimate(sums).ticks.reliable);
  for (int i = 0; i < 20; ++i) add_round(sums, i == 7 ? 3 : 0, i == 7 ? 1 : 0, 10);
  CHECK(estimate(sums).visits == Approx(100 + 60));
  CHECK(!estimate(sums).ticks.reliable);
}

namespace {

/// A call path of a closed region.
SampleRecord& windowed(Tree& tree, std::uint32_t node) {
  REQUIRE(make_sampled(tree, node, 1));
  set_countdown(tree, node, never);
  SampleRecord& record = tree.records[tree.node(node).record];
  begin_windowed(tree, record);
  return record;
}

/// A child of `parent` that is a call path of a closed region.
SampleRecord& closed_below(Tree& tree, std::uint32_t parent, std::uint32_t region) {
  return windowed(tree, make_child(tree, parent, region, ANDES_KIND_FUNCTION).node);
}

/// A thread with one call path of a closed region, in a window in which it has had a core for `core_ns` and made 50
/// visits.
struct SeenThread {
  Thread thread;
  SampleRecord* record;

  explicit SeenThread(double core_ns) {
    thread.location.in_use = false; // its processor time is not asked for
    thread.location.open_cpu_ns = -core_ns;
    Tree& tree = thread.location.tree;
    record = &closed_below(tree, innermost(thread.location), region_g);
    for (int i = 0; i < 50; ++i) thread.leave(thread.enter(region_g));
  }
};

/// Of a window with 50 visits: what it is taken to have cost, and the thread's own time, to which the rate of visits
/// refers.
double cost_ns(const WindowSums& sums) { return 50 * sums.cost_ns / sums.sum[window_visits]; }
double program_ns(const WindowSums& sums) { return 50 * sums.sum[window_cpu] / sums.sum[window_visits]; }

constexpr double first_ns = 1500 / 256.0; // what the first visit in a window is taken to cost in a tree of one path

/// A window of 2 ms of a stratum of 8 ms, and its threads. 1,000 ticks are 1 ms.
struct OpenWindow {
  std::vector<std::unique_ptr<SeenThread>> threads;
  std::unique_ptr<Process> process = std::make_unique<Process>();

  explicit OpenWindow(const std::vector<double>& core_ns) {
    process->costs.ticks_per_ms = 1000;
    process->settings.budget_percent = 1;
    process->windows.open = process->windows.has_thread = true;
    process->windows.length_ms = 8;
    process->windows.opened_ticks = 5000;
    process->windows.due_ticks = 7000;
    for (const double of_thread : core_ns) {
      threads.push_back(std::make_unique<SeenThread>(of_thread));
      process->locations[process->location_count++] = &threads.back()->thread.location;
    }
  }
  ~OpenWindow() {
    for (std::size_t i = 0; i < threads.size(); ++i) process->locations[i] = nullptr;
  }

  const WindowSums& closed_at(std::uint64_t ticks) {
    close_window(*process, ticks);
    return sums_of(0);
  }
  const WindowSums& sums_of(std::size_t thread) const { return threads[thread]->record->windows; }
};

} // namespace

TEST_CASE("a window stands for its stratum, however much of it was its cost") {
  OpenWindow window({500'000});
  const WindowSums& sums = window.closed_at(7000);
  CHECK(sums.sum[window_cpu] == Approx(500'000 * 8 / 2.0)); // the cost included
  CHECK(program_ns(sums) == Approx(500'000 - first_ns));
  OpenWindow lost({1'990'000}); // the thread of the windows has had its core for 22 us of 2.012 ms
  CHECK(lost.closed_at(7012).sum[window_cpu] == Approx(2'012'000 * 8 / 2.012));
  OpenWindow costly({500'000});
  costly.threads[0]->thread.location.window_work_ticks = 450; // 50 us are left
  CHECK(costly.closed_at(7000).sum[window_cpu] == Approx(4 * (50'000 - first_ns) * 8 / 2.0)); // no more than four times
}

TEST_CASE("a window that the run's end cuts off counts by its whole length") {
  OpenWindow window({500'000});
  const WindowSums& sums = window.closed_at(5500);
  CHECK(sums.visits == 50);
  CHECK(sums.sum[window_visits] == Approx(50 * 8 / 2.0)); // not 8 / 0.5
  CHECK(program_ns(sums) == Approx(500'000 - first_ns));
}

TEST_CASE(
    "what the edges of a window take of a thread's core time is found by when it goes on and when the window ends") {
  OpenWindow lost({1'990'000});
  lost.threads[0]->thread.location.back_ticks = 17;
  // It stood still for 17 us and for 12 us, and had no core for 22 us of these: 7 us count as its own.
  const WindowSums& of_lost = lost.closed_at(7012);
  CHECK(program_ns(of_lost) == Approx(1'990'000 - 7000 - first_ns));
  CHECK(cost_ns(of_lost) == Approx(7000 + first_ns));
  OpenWindow usual({1'990'000});
  usual.threads[0]->thread.location.back_ticks = 17;
  usual.threads[0]->thread.location.edges_ticks = 15; // seven times in eight
  CHECK(program_ns(usual.closed_at(7012)) == Approx(1'990'000 - 14'000 - first_ns));
  OpenWindow never_back({1'990'000}); // a switch of 6 us is no part of it
  CHECK(program_ns(never_back.closed_at(7012)) == Approx(1'990'000 - 6000 - first_ns));
  OpenWindow kept({2'010'000});
  CHECK(program_ns(kept.closed_at(7012)) == Approx(2'010'000 - first_ns));
  OpenWindow late({2'980'000}); // it went on for long after the window was due
  late.threads[0]->thread.location.back_ticks = 17;
  CHECK(program_ns(late.closed_at(8000)) == Approx(2'980'000 - 60'000 - first_ns));
}

TEST_CASE(
    "slow paths in a window are taken out as measured, and the first visits by no more than half of what is left") {
  OpenWindow window({500'000});
  Location& location = window.threads[0]->thread.location;
  location.window_work_ticks = 300;
  const double measured_ns = 300 * 1000, own_ns = 500'000 - measured_ns - first_ns;
  const WindowSums& sums = window.closed_at(7000);
  CHECK(program_ns(sums) == Approx(own_ns));
  CHECK(cost_ns(sums) == Approx(first_ns)); // what is measured has no error
  OpenWindow many({500'000}); // the way to each of 500 slow paths and back takes 30 ns
  many.threads[0]->thread.location.window_work_ticks = 300;
  many.threads[0]->thread.location.slow_paths = 500;
  CHECK(program_ns(many.closed_at(7000)) == Approx(own_ns - 500 * 30));
  OpenWindow all_slow({301'000});
  all_slow.threads[0]->thread.location.tree.record_count = 1 + 256; // 1,500 ns
  all_slow.threads[0]->thread.location.window_work_ticks = 300;
  CHECK(program_ns(all_slow.closed_at(7000)) == Approx(500));
}

TEST_CASE("visits that are counted leave a third of the window to the program, whatever a calibration says of them") {
  OpenWindow window({500'000});
  window.process->costs.sampled = 20; // 1.5 times as much for each of 50 visits would be 1.5 ms
  CHECK(program_ns(window.closed_at(7000)) == Approx(0.35 * 500'000 - first_ns));
  OpenWindow usual({500'000});
  usual.process->costs.sampled = 2;
  CHECK(program_ns(usual.closed_at(7000)) == Approx(500'000 - 50 * 3 * 1000 - first_ns));
}

TEST_CASE("slow paths are measured while their window is open") {
  OpenWindow window({500'000});
  Location& location = window.threads[0]->thread.location;
  Windows& windows = window.process->windows;
  window.process->clock.kind = ClockKind::monotonic;
  window.process->costs.ticks_per_ms = 1e6;
  const auto work = [&](std::uint64_t opened_ticks) {
    location.window_work_ticks = 0;
    const std::uint64_t begin_ticks = begin_window_work(*window.process);
    location.tree.window_ticks = opened_ticks;
    while (begin_ticks != 0 && ticks_now(window.process->clock) == begin_ticks) {}
    end_window_work(*window.process, location, begin_ticks);
    return location.window_work_ticks > 0;
  };
  bool is_measured = false; // it may lose its core
  for (int tries = 0; tries < 100 && !is_measured; ++tries) is_measured = work(1);
  CHECK(is_measured);
  CHECK(location.slow_paths > 0);
  CHECK_FALSE(work(UINT64_MAX)); // another window has been opened meanwhile
  windows.open = false;
  CHECK_FALSE(work(1));
}

TEST_CASE("where many more visits are timed than expected, the first stand for all of the window") {
  OpenWindow window({500'000});
  SeenThread& seen = *window.threads[0];
  seen.record->part_window = window.process->windows.count;
  seen.record->part = {0, TimedPart::cut, 16};
  for (int i = 0; i < 16; ++i) add_timed(seen.record->windows, 10, 0);
  const WindowSums& sums = window.closed_at(7000);
  CHECK(sums.sum[window_timed] == Approx(50 * 8 / 2.0)); // 50 visits
  CHECK(sums.sum[window_ticks] == Approx(10 * 50 * 8 / 2.0));
}

TEST_CASE("sums of a call path that rests between its visits are those of one that never does") {
  std::mt19937 random(3);
  WindowSums all, rested, unvisited;
  int at_rest = 0;
  std::int64_t visits = 0;
  for (int i = 0; i < 400; ++i) {
    const double open_ns = 50 + static_cast<double>(random() % 100);
    const bool is_visited = random() % 16 == 0;
    WindowLook look = {10, 20, open_ns, 1000, 3, 0, i % 2 == 1};
    const WindowSums until_before = unvisited;
    add_window(unvisited, look);
    look.visits = visits += is_visited ? 5 : 0;
    if (is_visited)
      for (WindowSums* sums : {&all, &rested}) add_timed(*sums, 7, 0);
    add_window(all, look);
    at_rest += rested.rests;
    if (rested.rests && !is_visited) continue;
    end_rest(rested, until_before);
    add_window(rested, look);
    if (look.ends_round && may_rest(rested)) begin_rest(rested, unvisited);
  }
  CHECK(at_rest > 200);
  end_rest(rested, unvisited);
  CHECK_FALSE(rested.rests);
  for (std::uint32_t i = 0; i < window_columns; ++i) {
    CHECK(rested.sum[i] == Approx(all.sum[i]));
    CHECK(rested.round[i] == Approx(all.round[i]).margin(1e-9));
    CHECK(rested.last[i] == Approx(all.last[i]).margin(1e-9));
  }
  for (std::uint32_t i = 0; i < window_products; ++i) CHECK(rested.products[i] == Approx(all.products[i]).margin(1e-3));
  CHECK(rested.cpu_ns == Approx(all.cpu_ns));
  CHECK(rested.cost_ns == Approx(all.cost_ns));
  CHECK(rested.windows == all.windows);
  CHECK(rested.visited == all.visited);
  CHECK(rested.rounds == all.rounds);
  CHECK(rested.timed_rounds == all.timed_rounds);
  CHECK(rested.differences == all.differences);
  CHECK(rested.in_round == all.in_round);
}

TEST_CASE("a call path without visits rests until a window sees one") {
  OpenWindow window({500'000});
  SeenThread& seen = *window.threads[0];
  SampleRecord& record = *seen.record;
  record.part = {0, TimedPart::no_end, 16};
  Tree& tree = seen.thread.location.tree;
  const auto close_after = [&](int visits) {
    for (int i = 0; i < visits; ++i) seen.thread.leave(seen.thread.enter(region_g));
    seen.thread.location.open_cpu_ns = -500'000;
    seen.thread.location.window_cpu_ns = 0;
    close_window(*window.process, 7000);
    return record.windows.rests;
  };
  CHECK_FALSE(close_after(0)); // 50 visits
  CHECK_FALSE(close_after(0)); // ends that round
  CHECK_FALSE(close_after(0));
  const double before = record.visits_per_ns;
  CHECK(close_after(0)); // a round without any
  CHECK(tree.rest_marks[tree.node(record.node).record].rests);
  CHECK(close_after(0));
  CHECK(record.windows.windows == 4);
  CHECK(visits_per_ns(seen.thread.location, record) == Approx(before * 49 / 64));
  CHECK_FALSE(close_after(3));
  CHECK(record.windows.windows == 6);
  CHECK(record.windows.visited == 2);
  CHECK(record.windows.visits == 53);
  CHECK_FALSE(tree.rest_marks[tree.node(record.node).record].rests);
  CHECK(record.part_share > 0);
}

TEST_CASE("how many visits a window has is expected from those that had any") {
  OpenWindow window({500'000});
  SeenThread& seen = *window.threads[0];
  const auto close_after = [&](int visits) {
    for (int i = 0; i < visits; ++i) seen.thread.leave(seen.thread.enter(region_g));
    close_window(*window.process, 7000);
    return seen.record->visits_a_window;
  };
  CHECK(close_after(0) == 50);
  CHECK(close_after(0) == 50);
  CHECK(close_after(90) == Approx(50 + 40 / 8.0));
}

TEST_CASE("strata are as long as opening and closing takes, within bounds that grow with the run") {
  OpenWindow window({500'000});
  Windows& windows = window.process->windows;
  windows.count = 10;
  windows.started_ticks = 0;
  const auto length_after = [&](double step_ms, double reading_ms, std::uint64_t ticks) {
    windows.steps_ns = (windows.count + 1) * step_ms * 1e6;
    windows.reading_ns = (windows.count + 1) * reading_ms * 1e6;
    close_window(*window.process, ticks);
    return windows.length_ms;
  };
  // 15 % of a budget of 1 %, and at the age of half a second half of that.
  CHECK(length_after(0.04, 0.01, 500'000) == Approx(0.03 / 0.0015 / 2));
  CHECK(length_after(0.4, 0, 9'500'000) == 50);
  CHECK(length_after(0.4, 0, 39'500'000) == Approx(39'500 / 400.0));
  CHECK(length_after(0.4, 0, 499'500'000) == Approx(0.4 / 0.0015 * 499.5 / 500));
}

TEST_CASE("where times begin anew the first samples come as often as in the beginning") {
  const auto process = std::make_unique<Process>();
  process->costs.ticks_per_ms = 1e6;
  process->settings.function_samples = true;
  restart_windows(*process, 10'000'000'000);
  CHECK(process->windows.thread_ticks == 0); // none are taken yet
  process->windows.thread_ticks = 1;
  SECTION("at the return of MPI_Init") {
    restart_windows(*process, 10'000'000'000);
    CHECK(process->windows.thread_ticks == 10'000'000'000);
    CHECK_FALSE(are_samples_due(*process, 10'000'000'001));
    CHECK(are_samples_due(*process, 10'060'000'000));
  }
  SECTION("in the child of a fork") {
    const std::uint64_t before_ticks = ticks_now(process->clock);
    reset_windows_in_child(*process, true);
    CHECK(process->windows.thread_ticks >= before_ticks);
  }
}

TEST_CASE("the processor time of late steps counts, whoever makes them, and none but theirs") {
  OpenWindow window({500'000});
  Windows& windows = window.process->windows;
  const auto own_id = static_cast<std::int32_t>(syscall(SYS_gettid));
  const double before_ns = thread_cpu_ns(own_id);
  step_late_windows(*window.process, own_id, 7012);
  CHECK(windows.count == 1);
  CHECK(windows.steps_ns > windows.reading_ns);
  CHECK(windows.reading_ns > 0); // to find that there are no samples takes some time, too
  CHECK(windows.steps_ns < thread_cpu_ns(own_id) - before_ns);
}

TEST_CASE("a late step is left to the thread that holds the lock") {
  OpenWindow window({500'000});
  {
    const LockedWindows locked(window.process->windows);
    step_late_windows(*window.process, static_cast<std::int32_t>(syscall(SYS_gettid)), 7012);
    CHECK(window.process->windows.count == 0);
  }
  step_late_windows(*window.process, static_cast<std::int32_t>(syscall(SYS_gettid)), 7012);
  CHECK(window.process->windows.count == 1);
}

TEST_CASE("an interrupt is that of one thread, and of none without a timer or where the thread has slept") {
  OpenWindow alone({1'990'000}); // its own visit closes the window
  alone.process->windows.has_thread = false;
  CHECK(program_ns(alone.closed_at(7012)) == Approx(1'990'000 - first_ns));
  CHECK(cost_ns(alone.sums_of(0)) == Approx(first_ns));
  OpenWindow slept({1'500'000});
  CHECK(program_ns(slept.closed_at(7012)) == Approx(1'500'000 - first_ns));
  OpenWindow several({1'985'000, 1'990'000, 2'010'000, 1'000'000}); // the second has lost its core to the timer
  several.closed_at(7012);
  for (const std::size_t thread : {0, 1, 2, 3})
    CHECK(cost_ns(several.sums_of(thread)) == Approx((thread == 1 ? 6000 : 0) + first_ns));
}

TEST_CASE("rounds before and after a time in which the region was open do not tell how they differ") {
  WindowSums sums;
  for (int closing = 0; closing < 5; ++closing) {
    begin_rounds(sums);
    for (int i = 0; i < 4; ++i) add_round(sums, i % 2 == 0 ? 4 : 6, 1, 15);
  }
  CHECK(sums.differences == 15);
  // Weighted: 80 and 120 in turn, of 20 rounds: a variance of 20 x 1600 / 2 = 16,000. They would tell as much as
  // 2000^2 / (16,000 + 20 x 100^2) = 18.52 equal rounds, but 15 differences are those of 16.
  const WindowEstimate found = estimate(sums);
  CHECK(found.visits == Approx(2000));
  check_ends(2000, found.visits_error, student_quantile(16 / 2.0) * std::sqrt(16'000.0 * 16 / 15));
  CHECK(found.ticks.reliable);
}

TEST_CASE("rounds of which none follows another tell no error, whatever their number") {
  WindowSums sums;
  for (int closing = 0; closing < 6; ++closing) {
    begin_rounds(sums);
    add_round(sums, closing % 2 == 0 ? 4 : 6, 1, 15);
  }
  const WindowEstimate found = estimate(sums);
  CHECK(found.visits_error.above == Approx(600));
  CHECK(found.ticks.above == Approx(600 * 15));
  CHECK_FALSE(found.ticks.reliable);
  add_round(sums, 5, 1, 15);
  CHECK(sums.differences == 1);
  CHECK_FALSE(estimate(sums).ticks.reliable);
}

TEST_CASE("time in which the region was open is no part of it") {
  WindowSums sums;
  for (int i = 0; i < 10; ++i) add_round(sums, 5, 1, 15);
  sums.cpu_ns -= 4000; // closed 4,000 ns after the first of these stretches had begun
  CHECK(estimate(sums).visits == Approx(16'000 * 100.0 / 2000));
}

TEST_CASE("intervals hold the truth in 93 % of runs and more, whatever the program's rhythm") {
  constexpr int runs = 400, fewest_held = runs * 93 / 100;
  const char* const kind =
      GENERATE("constant", "bimodal", "lognormal", "period of a stratum", "two phases", "seldom seen, of two lengths");
  CAPTURE(kind);
  const std::string name = kind;
  std::mt19937 random(7);
  int visits_held = 0, time_held = 0;
  for (int run = 0; run < runs; ++run) {
    Visits visits;
    // In a run this short some twelve rounds have timed visits of a function that is one of seven which take turns.
    const bool seldom = name == "seldom seen, of two lengths";
    visits.length_ns = seldom ? 800'000 : 300 * 10'000;
    std::lognormal_distribution<> lognormal(4, 1);
    for (double at = 0; at < visits.length_ns;) {
      const bool second = at > visits.length_ns / 3;
      const double in_period = std::fmod(at, 10'000);
      double ns = 100;
      if (name == "bimodal") ns = random() % 10 == 0 ? 550 : 55;
      if (name == "lognormal") ns = 1 + lognormal(random);
      if (name == "period of a stratum") ns = in_period < 3000 ? 40 : 200;
      if (name == "two phases") ns = second ? 30 : 150;
      if (seldom) {
        if (std::fmod(at, 7000) >= 1000) at += 7000 - std::fmod(at, 7000);
        if (at >= visits.length_ns) break;
        ns = std::fmod(at, 100'000) < 50'000 ? 20 : 60;
      }
      visits.begins.push_back(at);
      visits.ns.push_back(std::floor(ns));
      at += ns + static_cast<double>(random() % 40);
    }
    const WindowEstimate found = estimate(seen(visits, random));
    const double true_visits = static_cast<double>(visits.begins.size()), true_ns = sum_of(visits.ns);
    visits_held += found.visits - std::hypot(found.visits_error.below, found.visits_cost.below) <= true_visits &&
                   true_visits <= found.visits + std::hypot(found.visits_error.above, found.visits_cost.above);
    time_held += found.ticks.total - found.ticks.below <= true_ns && true_ns <= found.ticks.total + found.ticks.above;
  }
  CHECK(visits_held >= fewest_held);
  CHECK(time_held >= fewest_held);
}

TEST_CASE("visits are timed after the thread has gone on") {
  WindowPlan plan = {.open = 1000, .timed = 3, .least = 10, .back = 0, .timings = {.wanted = 4, .most = 16}};
  const auto part = [&plan](double visits, double begin, double end) {
    const TimedPart found = part_for(plan, visits);
    CHECK(static_cast<double>(found.begin_ticks) == begin);
    CHECK(static_cast<double>(found.end_ticks) == end);
    CHECK(found.apart == 0);
  };
  const auto no_end = static_cast<double>(TimedPart::no_end);
  part(25, 4 * 43, 8 * 43); // 40 + 3 each
  plan.least = 200;
  part(25, 4 * 43, 4 * 43 + 200);
  plan.back = 100;
  part(25, 100 + 4 * 43, 100 + 4 * 43 + 200);
  part(4, 100 + 253, no_end); // 1 of 4 warms up
  part(0, 100, no_end);
  plan.back = 700; // no more than half of the window
  part(0, 500, no_end);
}

TEST_CASE("of many visits in a window those wanted are timed in clusters, all over it") {
  const WindowPlan plan = {.open = 1000, .timed = 3, .least = 10, .back = 100, .timings = {.wanted = 4, .most = 16}};
  const TimedPart found = part_for(plan, 500); // two clusters of two, each after two that bring in the code
  CHECK(found.begin_ticks == 0);
  CHECK(found.end_ticks == TimedPart::no_end);
  CHECK(found.apart == 500 / 2 - 4);
  CHECK(share_of_clusters(found.apart) == 4.0 / 500);

  Thread thread;
  Tree& tree = thread.location.tree;
  thread.leave(thread.enter(region_f));
  SampleRecord& f = windowed(tree, thread.find(node_root, region_f));
  const auto visit_f = [&](int visits, int ticks) {
    for (int i = 0; i < visits; ++i) {
      andes_frame* frame = thread.enter(region_f);
      thread.now += static_cast<std::uint64_t>(ticks);
      thread.leave(frame);
    }
  };
  time_part(tree, f, {0, TimedPart::no_end, 4096, 10});
  visit_f(1, 100); // tells where the first cluster is
  CHECK(f.timed_left == 0);
  CHECK(f.windows.timed == 0);
  for (int burst = 0; burst < 1000; ++burst) visit_f(7, burst % 2 ? 200 : 50);
  CHECK(f.windows.timed == Approx(7000 * 2.0 / 14).epsilon(0.05));
  CHECK(f.windows.ticks / static_cast<double>(f.windows.timed) == Approx(125).epsilon(0.05));

  // No more than may be.
  const std::uint64_t before = f.windows.timed;
  time_part(tree, f, {0, TimedPart::no_end, 32, 10});
  visit_f(1000, 50);
  CHECK(f.windows.timed == before + 32);
  CHECK(f.part.end_ticks == TimedPart::cut);

  // The window is over: a cluster that is due begins none in a later one that others have to themselves.
  time_part(tree, f, {0, TimedPart::no_end, 32, 10});
  visit_f(1, 50);
  f.part.apart = 0;
  visit_f(1000, 50);
  CHECK(f.windows.timed == before + 32);
}

TEST_CASE("a mean of times at edges goes an eighth of the way, and hardly follows what is far above it") {
  CHECK(next_mean(0, 100, 300) == 100);
  CHECK(next_mean(100, 180, 300) == 110);
  CHECK(next_mean(100, 20, 300) == 90);
  CHECK(next_mean(100, 5000, 640) == 100 + (200 + 10 - 100) / 8.0); // as if it were a little more than twice the mean
  CHECK(next_mean(0, 5000, 300) == 300);
  double mean = 100;
  for (int i = 0; i < 100; ++i) mean = next_mean(mean, 5000, 300);
  CHECK(mean == 300);
}

TEST_CASE("the more call paths there are, the fewer visits of each are timed in a window") {
  const auto timings = [](std::uint32_t paths, std::uint32_t wanted, std::uint32_t most) {
    CHECK(timings_for(paths).wanted == wanted);
    CHECK(timings_for(paths).most == most);
  };
  timings(0, 8, 512);
  timings(8, 8, 512);
  timings(32, 8, 128);
  timings(64, 4, 64);
  timings(3500, 4, 16);
}

TEST_CASE("of a timed visit stays what closed regions below it did not take") {
  Thread thread;
  Tree& tree = thread.location.tree;
  andes_frame* before = thread.enter(region_f);
  thread.leave(thread.enter(region_g)); // is none of those that are made while the region is closed
  thread.leave(before);
  SampleRecord& f = windowed(tree, thread.find(node_root, region_f));
  SampleRecord& g = windowed(tree, thread.find(f.node, region_g));
  add_timed(g.windows, 40, 0);
  add_timed(g.windows, 60, 0); // 50 in the mean
  const auto visit_f = [&](int calls_of_g) {
    andes_frame* frame = thread.enter(region_f);
    thread.now += 100;
    for (int i = 0; i < calls_of_g; ++i) {
      andes_frame* inner = thread.enter(region_g);
      thread.now += 45;
      thread.leave(inner);
    }
    thread.leave(frame);
  };
  time_part(tree, f, {0, TimedPart::no_end, 32});
  visit_f(2);
  CHECK(f.windows.timed == 1);
  CHECK(f.windows.ticks == 100 + 2 * 45 - 2 * 50);
  CHECK(f.windows.below_ticks == 2 * 50);
  visit_f(0);
  CHECK(f.windows.ticks == 90 + 100);
  CHECK(f.windows.whole == 2);
  tree.window_ticks = thread.now;
  tree.first_in_window = 0;
  time_part(tree, f, {50, 500, 32});
  thread.now += 7;
  visit_f(3); // begins too early: its calls are no other visit's
  CHECK(f.windows.timed == 2);
  CHECK(f.left_out == 1);
  CHECK(tree.first_in_window == 7 + 1);
  thread.now = tree.window_ticks + 500;
  visit_f(0); // too late: the part is over, and no other visit is timed
  CHECK(f.windows.timed == 2);
  CHECK(f.timed_left == 0);
  CHECK(f.left_out == 2);
  CHECK(tree.first_in_window == 7 + 1);

  // Interrupted: kept apart, if it began in the part.
  time_part(tree, f, {50, 500, 32});
  const auto interrupted_at = [&](std::uint64_t since_opening) {
    sample_ended(tree, f.node, {tree.window_ticks + since_opening, 9000, 0, true});
  };
  interrupted_at(20);
  CHECK(f.interrupted.count == 0);
  interrupted_at(60);
  CHECK(f.interrupted.count == 1);
  CHECK(f.interrupted.ticks == 9000);
  CHECK(f.timed_left == 31);
  time_next(tree, f, 0, 0); // the window is over
  interrupted_at(60);
  CHECK(f.interrupted.count == 2);
  interrupted_at(600);
  CHECK(f.interrupted.count == 2);
  CHECK(f.windows.timed == 2);

  // Over when the window is: what it called is not known, so it is divided as the others were, 190 to 100.
  time_part(tree, f, {0, TimedPart::no_end, 32});
  andes_frame* frame = thread.enter(region_f);
  thread.now += 290;
  time_next(tree, f, 0, 0);
  thread.leave(frame);
  CHECK(f.windows.timed == 3);
  CHECK(f.windows.whole == 2);
  CHECK(f.windows.ticks == Approx(190 + 190));
  CHECK(f.windows.below_ticks == Approx(100 + 100));
}

TEST_CASE("a closed region's time is its own and that of the closed ones below it") {
  Thread thread;
  Tree& tree = thread.location.tree;
  andes_frame* caller = thread.enter(region_f);
  SampleRecord& g = closed_below(tree, innermost(thread.location), region_g);
  SampleRecord& h = closed_below(tree, g.node, region_h);
  for (int i = 0; i < 10; ++i) {
    add_round(g.windows, 10, 10, 100); // 100 visits in each stratum, of which ten are in the window
    add_round(h.windows, 20, 5, 30); // 200 visits
  }
  thread.now += 1'000'000;
  thread.leave(caller);
  close_frames(thread.location, thread.now);
  const Derived derived = derive(tree, {.ticks_per_ms = 1000});
  CHECK(derived.inclusive[h.node] == Approx(20 * 200 * 30));
  CHECK(derived.inclusive[g.node] == Approx(20 * 100 * 100 + 20 * 200 * 30));
  CHECK(derived.exclusive[g.node] == Approx(20 * 100 * 100));
  CHECK(derived.exclusive[thread.find(node_root, region_f)] == Approx(1'000'000 - 320'000));

  // One timed visit of ten sampled ones tells little; what is a tenth of all is counted with the callees.
  g.visits = 10;
  add(g.sample, 2'500, 10);
  const Derived with_little = derive(tree, {.ticks_per_ms = 1000});
  CHECK(with_little.inclusive[g.node] == Approx(345'000));
  CHECK(with_little.estimates[g.node].reliable);
  CHECK(with_little.estimates[g.node].below == Approx(25'000).epsilon(0.01));
  g.visits = 16;
  const Derived with_more = derive(tree, {.ticks_per_ms = 1000});
  CHECK(with_more.inclusive[g.node] == Approx(360'000));
  CHECK_FALSE(with_more.estimates[g.node].reliable);
  CHECK(with_more.estimates[g.node].below == Approx(360'000));
}

TEST_CASE("the wide interval of a doubted estimate reaches its closed caller") {
  Thread thread;
  Tree& tree = thread.location.tree;
  andes_frame* caller = thread.enter(region_f);
  SampleRecord& g = closed_below(tree, innermost(thread.location), region_g);
  SampleRecord& h = closed_below(tree, g.node, region_h);
  for (int i = 0; i < 10; ++i) {
    add_round(g.windows, 10, 10, 100);
    add_round(h.windows, 20, i < 3 ? 5 : 0, 30);
  }
  thread.now += 10'000'000;
  thread.leave(caller);
  close_frames(thread.location, thread.now);
  const Derived derived = derive(tree, {.ticks_per_ms = 1000});
  CHECK(derived.inclusive[h.node] == Approx(120'000));
  CHECK(derived.inclusive[g.node] == Approx(320'000));
  CHECK(derived.estimates[g.node].below == Approx(120'000));
  CHECK(derived.estimates[g.node].above == Approx(student_quantile(2) * 120'000));
  // Too few were timed: all that its caller may have taken.
  CHECK(derived.estimates[h.node].above == Approx(200'000 + student_quantile(2) * 120'000));
  CHECK_FALSE(derived.estimates[h.node].reliable);
}

TEST_CASE("recursion into a closed region through an exact call path is moved there, once") {
  Thread thread;
  Tree& tree = thread.location.tree;
  for (const std::uint32_t region : {region_f, region_g, region_f}) thread.enter(region);
  close_frames(thread.location, thread.now);
  const std::uint32_t node_f = thread.find(node_root, region_f), node_g = thread.find(node_f, region_g);
  SampleRecord& f = windowed(tree, node_f);
  time_part(tree, f, {0, TimedPart::no_end, 32});
  // f 100 { g 10 { f 20 } 10 } 100
  andes_frame* const outer = thread.enter(region_f);
  thread.now += 100;
  andes_frame* const between = thread.enter(region_g);
  thread.now += 10;
  andes_frame* const inner = thread.enter(region_f);
  thread.now += 20;
  thread.leave(inner);
  thread.now += 10;
  thread.leave(between);
  thread.now += 100;
  thread.leave(outer);
  CHECK(f.windows.timed == 1);
  CHECK(f.windows.ticks == 200);
  CHECK(tree.node(node_g).inclusive_ticks == 40);
  CHECK(tree.accounts[node_g].moved_ticks == -20);
  CHECK(tree.accounts[node_f].moved_ticks == 20);
  CHECK(f.recursion_ticks == 0);
}

TEST_CASE("what closed regions below a timed visit took is taken out of all timed visits around it") {
  Thread thread;
  Tree& tree = thread.location.tree;
  const auto visit = [&] { // 100 { 10 { 5 } 10 } 100
    andes_frame* f = thread.enter(region_f);
    thread.now += 100;
    andes_frame* g = thread.enter(region_g);
    thread.now += 10;
    andes_frame* h = thread.enter(region_h);
    thread.now += 5;
    thread.leave(h);
    thread.now += 10;
    thread.leave(g);
    thread.now += 100;
    thread.leave(f);
  };
  visit();
  SampleRecord& f = windowed(tree, thread.find(node_root, region_f));
  SampleRecord& g = windowed(tree, thread.find(f.node, region_g));
  SampleRecord& h = windowed(tree, thread.find(g.node, region_h));
  for (SampleRecord* record : {&f, &g, &h}) time_part(tree, *record, {0, TimedPart::no_end, 32});
  visit();
  CHECK(h.windows.ticks == 5);
  CHECK(g.windows.ticks == 20);
  CHECK(f.windows.ticks == 200);
  CHECK(f.windows.below_ticks == 25);
}

TEST_CASE("recursion into a closed region is a visit of its own, and no part of those around it") {
  Thread thread;
  Tree& tree = thread.location.tree;
  for (const std::uint32_t region : {region_f, region_g, region_f, region_g, region_f}) thread.enter(region);
  close_frames(thread.location, thread.now);
  const std::uint32_t node_f = thread.find(node_root, region_f);
  SampleRecord& f = windowed(tree, node_f);
  SampleRecord& g = windowed(tree, thread.find(node_f, region_g));
  add_timed(g.windows, 20, 0);
  const bool f_is_timed = GENERATE(true, false);
  if (f_is_timed) time_part(tree, f, {0, TimedPart::no_end, 32});
  time_part(tree, g, {0, TimedPart::no_end, 32});
  const auto visit = [&](std::uint32_t region, std::uint64_t before, auto inside, std::uint64_t after) {
    andes_frame* frame = thread.enter(region);
    thread.now += before;
    inside();
    thread.now += after;
    thread.leave(frame);
  };
  // f 100 { g 10 { f 20 { g 5 { f 7 } } 30 } 10 } 100: of g are 5 and 20; of f are 7, 50 and 200 beside them.
  visit(
      region_f, 100,
      [&] {
        visit(
            region_g, 10,
            [&] { visit(region_f, 20, [&] { visit(region_g, 5, [&] { visit(region_f, 7, [] {}, 0); }, 0); }, 30); },
            10);
      },
      100);
  CHECK(g.windows.timed == 1 + 2);
  CHECK(g.windows.ticks == 20 + 25);
  CHECK(f.windows.timed == (f_is_timed ? 3 : 0));
  // g is taken out of the first and the second visit of f at what was known of it: 20.
  if (f_is_timed) CHECK(f.windows.ticks == 7 + (55 - 20) + (220 - 20));
  for (const std::uint32_t node : {node_f, g.node}) {
    CHECK(tree.accounts[node].moved_ticks == 0);
    CHECK(tree.node(node).inside_ticks == 0);
  }
  CHECK(f.recursion_ticks + g.recursion_ticks == 0);
}

namespace {

/// Of a thread: visits of functions, each called from a place of its own further down on the stack. Direct recursion
/// gets no frame, as in a probe.
struct Nest {
  Thread& thread;
  std::uintptr_t stack = thread.location.stack_high;

  template <class Inside> void visit(std::uint32_t region, std::uint64_t before, Inside inside) {
    stack -= 64;
    andes_frame* frame = thread.enter(region, ANDES_KIND_FUNCTION, stack, stack);
    thread.now += before;
    inside();
    if (frame) thread.leave(frame);
    stack += 64;
  }
  void visit(std::uint32_t region, std::uint64_t ticks) {
    visit(region, ticks, [] {});
  }
};

} // namespace

TEST_CASE("the time of a timed visit is that of the direct recursion in it, too") {
  Thread thread;
  Nest nest = {thread};
  nest.visit(region_f, 1, [&] { nest.visit(region_f, 1); });
  SampleRecord& f = windowed(thread.location.tree, thread.find(node_root, region_f));
  time_part(thread.location.tree, f, {0, TimedPart::no_end, 32});
  // Four of 10 ticks, the innermost has 100: the outermost takes 140.
  nest.visit(region_f, 10, [&] {
    nest.visit(region_f, 10, [&] { nest.visit(region_f, 10, [&] { nest.visit(region_f, 10 + 100); }); });
  });
  CHECK(f.windows.timed == 1);
  CHECK(f.windows.within == 3);
  CHECK(f.windows.ticks == 140);
  nest.visit(region_f, 20);
  CHECK(f.windows.timed == 2);
  CHECK(f.windows.within == 3);
  CHECK(mean_ticks(f.windows) == Approx(160.0 / 5));
  // A window tells the number of all of them: so the estimate is of 5 visits that take 160 together.
  add_window(f.windows, {10, 10, 100, 1000, 0, thread.visits(f.node), true});
  CHECK(f.windows.sum[window_visits] == 50);
  CHECK(f.windows.sum[window_timed] == 50);
  CHECK(f.windows.sum[window_ticks] == 1600);
}

TEST_CASE("direct recursion before and after a recursion through another function is told apart") {
  Thread thread;
  Nest nest = {thread};
  nest.visit(region_f, 1,
             [&] { nest.visit(region_f, 1, [&] { nest.visit(region_g, 1, [&] { nest.visit(region_f, 1); }); }); });
  Tree& tree = thread.location.tree;
  SampleRecord& f = windowed(tree, thread.find(node_root, region_f));
  SampleRecord& g = windowed(tree, thread.find(f.node, region_g));
  for (SampleRecord* record : {&f, &g}) time_part(tree, *record, {0, TimedPart::no_end, 32});
  add_timed(g.windows, 7, 0);
  std::vector<std::uint64_t> within;
  // f 5 { f 5 { g 7 { f 30 { f 30 { f 30 } } } } f 5 }: of the inner visit are two, of the outer one are two others.
  nest.visit(region_f, 5, [&] {
    nest.visit(region_f, 5, [&] {
      nest.visit(region_g, 7, [&] {
        nest.visit(region_f, 30, [&] { nest.visit(region_f, 30, [&] { nest.visit(region_f, 30); }); });
        within.push_back(f.windows.within);
      });
    });
    nest.visit(region_f, 5);
  });
  within.push_back(f.windows.within);
  CHECK(within == std::vector<std::uint64_t>{2, 2 + 2});
  CHECK(f.windows.timed == 2);
  CHECK(f.windows.ticks == 90 + 15);
  CHECK(g.windows.ticks == 7 + 7);
}

TEST_CASE("what takes part in a timed visit by recursion is timed as it is") {
  Thread thread;
  Nest nest = {thread};
  nest.visit(region_f, 1, [&] { nest.visit(region_g, 1, [&] { nest.visit(region_f, 1); }); });
  Tree& tree = thread.location.tree;
  SampleRecord& f = windowed(tree, thread.find(node_root, region_f));
  windowed(tree, thread.find(f.node, region_g));
  time_part(tree, f, {0, TimedPart::no_end, 32, 1000});
  set_countdown(tree, f.node, 1'000'000);
  const auto of_four = [&] { // the innermost visit of f takes 1,000 ticks, the others 10
    nest.visit(region_f, 10, [&] {
      nest.visit(region_g, 0, [&] {
        nest.visit(region_f, 10, [&] { nest.visit(region_g, 0, [&] { nest.visit(region_f, 1000); }); });
      });
    });
  };
  of_four(); // the first of the part only tells when the first cluster begins
  CHECK(f.windows.timed == 0);
  set_countdown(tree, f.node, 0);
  nest.visit(region_f, 10); // is due
  of_four(); // warms up
  CHECK(f.windows.timed == 0);
  of_four();
  CHECK(f.windows.timed == 3);
  CHECK(f.windows.ticks == 1020);
  of_four();
  CHECK(f.windows.timed == 6);
  CHECK(f.windows.ticks == 2040);
  of_four(); // the cluster is over
  CHECK(f.windows.timed == 6);
  // The next one is due in the middle of a visit that is not timed: nothing of that is.
  nest.visit(region_f, 10, [&] {
    set_countdown(tree, f.node, 0);
    nest.visit(region_g, 0, [&] {
      nest.visit(region_f, 10, [&] { nest.visit(region_g, 0, [&] { nest.visit(region_f, 1000); }); });
    });
  });
  CHECK(f.windows.timed == 6);
  of_four(); // warms up
  of_four();
  CHECK(f.windows.timed == 9);
  CHECK(f.windows.ticks == 3060);
}

TEST_CASE("visits of recursion that end after their window tell no time, and make the estimate doubtful") {
  Thread thread;
  Nest nest = {thread};
  nest.visit(region_f, 1, [&] { nest.visit(region_f, 1); });
  Tree& tree = thread.location.tree;
  SampleRecord& f = windowed(tree, thread.find(node_root, region_f));
  time_part(tree, f, {0, TimedPart::no_end, 32});
  nest.visit(region_f, 10, [&] {
    nest.visit(region_f, 10);
    time_next(tree, f, 0, 0); // the window ends
    thread.now += 500;
  });
  CHECK(f.windows.timed == 0);
  CHECK(f.windows.cut_ticks == 520);

  WindowSums sums;
  for (int i = 0; i < 20; ++i) add_round(sums, 5, 2, 15);
  REQUIRE(estimate(sums).ticks.below == Approx(0).margin(1e-9));
  sums.cut_ticks = sums.ticks / 4; // a fifth of all
  CHECK(estimate(sums).ticks.reliable);
  CHECK(estimate(sums).ticks.above == Approx(0.2 * 2000 * 15));
  sums.cut_ticks = sums.ticks * 1.1;
  CHECK_FALSE(estimate(sums).ticks.reliable);
}

TEST_CASE("recursion whose region is opened again is exact again, not sampled") {
  Thread thread;
  Nest nest = {thread};
  nest.visit(region_f, 1, [&] { nest.visit(region_f, 1); });
  Tree& tree = thread.location.tree;
  SampleRecord& f = windowed(tree, thread.find(node_root, region_f));
  nest.visit(region_f, 1);
  end_windowed(tree, f);
  REQUIRE(is_sampled(tree.node(f.node)));
  set_countdown(tree, f.node, 0);
  const std::uint64_t before = thread.inclusive(f.node);
  nest.visit(region_f, 10, [&] { nest.visit(region_f, 10, [&] { nest.visit(region_f, 10); }); });
  CHECK_FALSE(is_sampled(tree.node(f.node)));
  CHECK(f.sample.timed == 0);
  CHECK(thread.inclusive(f.node) == before + 30);
}

TEST_CASE("closed recursion below a timed visit is taken out of it at its time for each of its visits") {
  Thread thread;
  Nest nest = {thread};
  nest.visit(region_f, 1, [&] { nest.visit(region_g, 1, [&] { nest.visit(region_g, 1); }); });
  Tree& tree = thread.location.tree;
  SampleRecord& f = windowed(tree, thread.find(node_root, region_f));
  SampleRecord& g = windowed(tree, thread.find(f.node, region_g));
  time_part(tree, g, {0, TimedPart::no_end, 32});
  const auto visit = [&] { // 100 { 10 { 10 { 10 } } }
    nest.visit(region_f, 100,
               [&] { nest.visit(region_g, 10, [&] { nest.visit(region_g, 10, [&] { nest.visit(region_g, 10); }); }); });
  };
  visit();
  REQUIRE(g.windows.timed == 1);
  time_part(tree, f, {0, TimedPart::no_end, 32});
  g.visits_marked = visits_from_outside(tree, g.node); // as when a window opens
  visit();
  CHECK(f.windows.ticks == 100);
  CHECK(f.windows.below_ticks == 30);
}

namespace {

/// A timed visit contains 30 ticks of its probe, whatever the work around it is.
constexpr ProbeCosts same_inner_part = with_inner_part({.pair = 20, .ticks_per_ms = 1000}, 30);

} // namespace

/// With a clock whose reading waits for the work before it, so that it misses none.
static ProbeCosts fenced(ProbeCosts costs) {
  costs.fenced_clock = true;
  return costs;
}

TEST_CASE("half of what a timed visit costs is the error of the cost that is taken out of every visit") {
  Thread thread;
  Tree& tree = thread.location.tree;
  andes_frame* caller = thread.enter(region_f);
  SampleRecord& g = closed_below(tree, innermost(thread.location), region_g);
  for (int i = 0; i < 10; ++i) add_round(g.windows, 5, 5, 100);
  thread.now += 1'000'000;
  thread.leave(caller);
  close_frames(thread.location, thread.now);
  const Derived derived = derive(tree, fenced(same_inner_part));
  CHECK(derived.cost_error[g.node] == Approx(10 * 100 * 30 / 2));
  CHECK(derived.cost_error[thread.find(node_root, region_f)] == 0);
}

TEST_CASE("of a visit shorter than its probe all of the probe's cost may have been the visit's own time") {
  Thread thread;
  Tree& tree = thread.location.tree;
  andes_frame* caller = thread.enter(region_f);
  SampleRecord& g = closed_below(tree, innermost(thread.location), region_g);
  const double ticks = GENERATE(36.0, 30.0, 45.0, 60.0);
  for (int i = 0; i < 10; ++i) add_round(g.windows, 5, 5, ticks);
  thread.now += 1'000'000;
  thread.leave(caller);
  close_frames(thread.location, thread.now);
  const Derived derived = derive(tree, fenced(same_inner_part));
  CHECK(derived.inclusive[g.node] == Approx(10 * 100 * (ticks - 30)).margin(30 * 50));
  // Half of the 30, and the other half by what is left of them beside the visit's own time.
  const double error = ticks == 36 ? 27 : ticks == 30 ? 30 : ticks == 45 ? 22.5 : 15;
  CHECK(derived.cost_error[g.node] == Approx(10 * 100 * error));
}

TEST_CASE("what the visits of a recursion cost is taken out of the call paths on its way, too") {
  // f 0..1600 { h 0..700 { g 0..600 }, g 700..1500 { f 800..1400 { g 900..1300 } } }: 10 ticks of each visit are its
  // probe's, all of them within.
  Thread thread;
  Tree& tree = thread.location.tree;
  andes_frame* frames[4] = {thread.enter(region_f)};
  andes_frame* const beside = thread.enter(region_h);
  andes_frame* const below = thread.enter(region_g);
  thread.now += 600;
  thread.leave(below);
  thread.now += 100;
  thread.leave(beside);
  for (int i = 1; i < 4; ++i) {
    frames[i] = thread.enter(i % 2 == 0 ? region_f : region_g);
    thread.now += 100;
  }
  thread.now += 200;
  for (int i = 4; i-- > 0;) {
    thread.now += 100;
    thread.leave(frames[i]);
  }
  close_frames(thread.location, thread.now);
  const std::uint32_t f = thread.find(node_root, region_f), g = thread.find(f, region_g), h = thread.find(f, region_h);
  const Derived derived = derive(tree, {.pair = 10,
                                        .inner = 10,
                                        .dependent = 10,
                                        .dependent_inner = 10,
                                        .busy = 10,
                                        .busy_inner = 10,
                                        .ticks_per_ms = 1000});
  CHECK(derived.exclusive[node_tool] == Approx(60));
  CHECK(derived.inclusive[f] == Approx(1600 - 60));
  CHECK(derived.inclusive[g] == Approx(800 - 0.5 * 60)); // as the three visits in it took
  CHECK(derived.inclusive[h] == Approx(700 - 20)); // no way of the recursion
}

TEST_CASE("no interval reaches beyond the caller's time") {
  Thread thread;
  Tree& tree = thread.location.tree;
  andes_frame* caller = thread.enter(region_f);
  SampleRecord& g = closed_below(tree, innermost(thread.location), region_g);
  for (int i = 0; i < 10; ++i) add_round(g.windows, i % 2 ? 1 : 100, i % 2 ? 1 : 10, i % 2 ? 1000 : 10);
  thread.now += 60'000;
  thread.leave(caller);
  close_frames(thread.location, thread.now);
  const Derived derived = derive(tree, {.ticks_per_ms = 1000});
  const Estimate& estimate = derived.estimates[g.node];
  CHECK(estimate.total <= 60'000);
  CHECK(estimate.total + estimate.above == Approx(60'000));
  CHECK(estimate.below <= estimate.total);
}

namespace {

/// 17 ticks of a visit that is timed alone are its probe's, and 30 of a sampled one.
constexpr ProbeCosts probes_within_visits = with_inner_part({.pair = 17,
                                                             .inner = 17,
                                                             .dependent = 17,
                                                             .dependent_inner = 17,
                                                             .busy = 17,
                                                             .busy_inner = 17,
                                                             .ticks_per_ms = 1000},
                                                            30);

/// Exact visits of 10 ticks, and of the probe's part.
void visit_100_times(Thread& thread) {
  for (int i = 0; i < 100; ++i) {
    andes_frame* visit = thread.enter(region_g);
    thread.now += 10 + 17;
    thread.leave(visit);
  }
}

} // namespace

TEST_CASE("visits in windows of which none was timed are taken to be as those before") {
  // 300 visits that were timed before tell enough: the interval may be 1 + 4.3 times as wide as the estimate.
  const auto derived_of = [](int hundreds_before, std::uint64_t caller_ticks, std::uint32_t& g_node,
                             std::uint32_t& f_node) {
    Thread thread;
    Tree& tree = thread.location.tree;
    andes_frame* caller = thread.enter(region_f);
    for (int i = 0; i < hundreds_before; ++i) visit_100_times(thread);
    f_node = thread.find(node_root, region_f);
    SampleRecord& g = windowed(tree, thread.find(f_node, region_g));
    g_node = g.node;
    for (int i = 0; i < 10; ++i) add_round(g.windows, 5, 0, 0);
    for (int i = 0; i < 10 * 2 * 5; ++i) thread.leave(thread.enter(region_g)); // these
    thread.now += caller_ticks;
    thread.leave(caller);
    close_frames(thread.location, thread.now);
    return derive(tree, probes_within_visits);
  };
  std::uint32_t g = 0, f = 0;
  const Derived derived = derived_of(3, 100'000, g, f);
  CHECK(derived.visits[g] == Approx(300 + 10 * 100));
  CHECK(derived.inclusive[g] == Approx(3'000 + 10'000));
  CHECK(derived.estimates[g].below == Approx(10'000));
  CHECK(derived.estimates[g].above == Approx(student_quantile(2) * 10'000));
  CHECK(derived.cost_error[g] == Approx(10 * 100 * 2 * 17)); // what the clock has missed of those before
  CHECK_FALSE(derived.estimates[g].reliable);
  CHECK(derived.exclusive[f] == Approx(100'000 + 3'000 - 13'000 - 17));

  const Derived in_long_run = derived_of(3, 10'000'000, g, f);
  CHECK(in_long_run.inclusive[g] == Approx(3'000 + 10'000));
  CHECK(in_long_run.estimates[g].above == Approx(student_quantile(2) * 10'000));
  CHECK(in_long_run.estimates[g].reliable); // within 1 % of the thread's time, whatever it is

  const Derived after_few = derived_of(2, 10'000'000, g, f);
  CHECK(after_few.estimates[g].total + after_few.estimates[g].above == Approx(10'000'000).epsilon(0.001));
  CHECK_FALSE(after_few.estimates[g].reliable);
}

TEST_CASE("visits in windows of which none was ever timed take no longer than their caller has room for") {
  for (const bool is_small : {false, true}) {
    Thread thread;
    Tree& tree = thread.location.tree;
    andes_frame* caller = thread.enter(region_f);
    const std::uint32_t f = thread.find(node_root, region_f);
    SampleRecord& g = closed_below(tree, f, region_g);
    for (int i = 0; i < 10; ++i) add_round(g.windows, 5, 0, 0);
    for (int i = 0; i < 10 * 2 * 5; ++i) thread.leave(thread.enter(region_g));
    thread.now += 5'000;
    thread.leave(caller);
    if (is_small) thread.now += 1'000'000; // in main
    close_frames(thread.location, thread.now);
    const Derived derived = derive(tree, {.ticks_per_ms = 1000});
    CHECK(derived.inclusive[g.node] == 0);
    CHECK(derived.exclusive[f] == Approx(5'000));
    CHECK(derived.estimates[g.node].above == Approx(5'000));
    CHECK(derived.estimates[g.node].reliable == is_small);
  }
}

TEST_CASE("a region of which no window tells anything until the end is taken to have gone on as before") {
  const int without_a_core = GENERATE(0, 3); // windows in which the thread had none
  Thread thread;
  Tree& tree = thread.location.tree;
  andes_frame* caller = thread.enter(region_f);
  visit_100_times(thread);
  thread.now += 300; // 3,000 ticks open, with 100 visits of 10
  SampleRecord& g = windowed(tree, thread.find(thread.find(node_root, region_f), region_g));
  for (int i = 0; i < without_a_core; ++i) add_window(g.windows, {10, 10, 0, 0, 0, g.windows.visits_seen, i == 1});
  g.windows.cpu_ns = 1'500'000; // 1,500 ticks
  thread.now += 1'500;
  thread.leave(caller);
  close_frames(thread.location, thread.now);
  const Derived derived = derive(tree, probes_within_visits);
  CHECK(derived.visits[g.node] == Approx(150));
  CHECK(derived.visits_error[g.node].below == Approx(50));
  CHECK(derived.visits_error[g.node].above == Approx(1'500 / 10 - 50)); // those that fill the time
  CHECK(derived.inclusive[g.node] == Approx(1'500));
  CHECK_FALSE(derived.estimates[g.node].reliable);
  CHECK(derived.exclusive[thread.find(node_root, region_f)] == Approx(300 + 1'500 - 500 - 17));
}

TEST_CASE("of a closed call path that few windows have seen, or none, there may be as many visits as these allow for") {
  Thread thread;
  Tree& tree = thread.location.tree;
  andes_frame* caller = thread.enter(region_f);
  visit_100_times(thread); // of 10 ticks
  const std::uint32_t f = thread.find(node_root, region_f);
  SampleRecord& g = windowed(tree, thread.find(f, region_g));
  for (int i = 0; i < 20; ++i) add_round(g.windows, 0, 0, 0);
  g.windows.cpu_ns = 40'000'000; // 40,000 ticks
  thread.now += 40'000;
  thread.leave(caller);
  const auto most_of_unseen = [&] {
    close_frames(thread.location, thread.now);
    const Derived found = derive(tree, probes_within_visits);
    CHECK(found.visits[g.node] == 100);
    CHECK(found.visits_error[g.node].below == 0);
    CHECK(found.inclusive[g.node] == Approx(1'000));
    return found.visits[g.node] + found.visits_error[g.node].above;
  };
  SECTION("in 3 / 40 of the time, where 40 windows have seen none") {
    CHECK(most_of_unseen() == Approx(100 + 3.0 / 40 * 40'000 / 10));
  }
  SECTION("in 3 / 30 of three quarters of the time, where it has no record and 30 of 40 were later than its closing") {
    tree.node(g.node).record = 0;
    tree.node(g.node).bits = 0;
    for (int i = 0; i < 20; ++i) add_round(tree.unvisited, 0, 0, 0);
    tree.unvisited.cpu_ns = 40'000'000;
    tree.accounts[g.node].unseen_since = 10 + 1;
    CHECK(most_of_unseen() == Approx(100 + 3.0 / 30 * 30'000 / 10));
  }
  SECTION("the same where its visits were sampled after its region was opened again") {
    g.windows = {.visits_seen = g.windows.visits_seen};
    for (int i = 0; i < 20; ++i) add_round(tree.unvisited, 0, 0, 0);
    tree.unvisited.cpu_ns = 40'000'000;
    tree.accounts[g.node].unseen_since = 10 + 1;
    CHECK(most_of_unseen() == Approx(100 + 3.0 / 30 * 30'000 / 10));
  }
  SECTION("in 5.77 / 42 of the time, where one of 42 has seen two") {
    g.windows = {.visits_seen = g.windows.visits_seen};
    for (int i = 0; i < 42; ++i)
      add_window(g.windows, {10, 10, 100'000, 1'000'000, 0, g.windows.visits_seen + (i == 7 ? 2 : 0), i % 2 == 1});
    andes_frame* again = thread.enter(region_f);
    for (int i = 0; i < 2; ++i) thread.leave(thread.enter(region_g));
    thread.leave(again);
    close_frames(thread.location, thread.now);
    const Derived found = derive(tree, probes_within_visits);
    CHECK(found.visits[g.node] == Approx(100 + 20));
    const double most = (3 + 1.96 * std::sqrt(2.0)) / 42 * 42'000 / 10;
    CHECK(found.visits[g.node] + found.visits_error[g.node].above == Approx(100 + most));
  }
  SECTION("the same where none was visited before: as many as there may be of the length of those that were timed") {
    SampleRecord& h = closed_below(tree, f, region_h);
    for (int i = 0; i < 42; ++i) {
      if (i == 7) add_timed(h.windows, 3, 0);
      add_window(h.windows, {10, 10, 100'000, 1'000'000, 0, h.windows.visits_seen + (i == 7 ? 2 : 0), i % 2 == 1});
    }
    andes_frame* again = thread.enter(region_f);
    for (int i = 0; i < 2; ++i) thread.leave(thread.enter(region_h));
    thread.leave(again);
    close_frames(thread.location, thread.now);
    const Derived found = derive(tree, probes_within_visits);
    CHECK(found.visits[h.node] == Approx(20));
    CHECK(found.visits[h.node] + found.visits_error[h.node].above ==
          Approx((3 + 1.96 * std::sqrt(2.0)) / 42 * 42'000 / 3));
  }
  SECTION("and as few as those of 0.0253 windows, where the first of a round that is not whole has seen all") {
    g.windows = {.visits_seen = g.windows.visits_seen};
    for (int i = 0; i < 41; ++i)
      add_window(g.windows, {100, 100, 100'000, 10'000'000, 0, g.windows.visits_seen + (i == 0 ? 2 : 0), i % 2 == 0});
    REQUIRE(g.windows.products[0] == 0);
    andes_frame* again = thread.enter(region_f);
    for (int i = 0; i < 2; ++i) thread.leave(thread.enter(region_g));
    thread.leave(again);
    close_frames(thread.location, thread.now);
    const Derived found = derive(tree, probes_within_visits);
    constexpr double in_windows = 200; // a hundredth of the time was seen
    CHECK(found.visits[g.node] == Approx(100 + in_windows));
    CHECK(found.visits_error[g.node].below == Approx(in_windows * (1 - 0.0253)));
  }
  SECTION("but no fewer than were counted, whatever counting them has cost") {
    g.windows = {.visits_seen = g.windows.visits_seen};
    for (int i = 0; i < 41; ++i)
      add_window(g.windows,
                 {100, 100, 100'000, 10'000'000, 100'000, g.windows.visits_seen + (i == 0 ? 20 : 0), i % 2 == 0});
    const Derived found = derive(tree, probes_within_visits);
    CHECK(found.visits_cost[g.node].below > 0);
    CHECK(std::hypot(found.visits_error[g.node].below, found.visits_cost[g.node].below) <= 2000 - 20 + 1e-6);
  }
  SECTION("in 3 / 40 of the caller's 1,200 visits, where 40 have seen some of those") {
    for (int i = 0; i < 99; ++i) thread.leave(thread.enter(region_f)); // g was called once in each of 100
    SampleRecord& of_f = windowed(tree, f);
    for (int i = 0; i < 20; ++i) add_round(of_f.windows, 3, 0, 0);
    for (int i = 0; i < 120; ++i) thread.leave(thread.enter(region_f));
    of_f.windows.cpu_ns = 40'000;
    CHECK(most_of_unseen() == Approx(100 + 3.0 / 40 * 1'200));
  }
}
