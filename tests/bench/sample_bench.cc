// Benchmark of sampled visits. First the cost of keeping a timed visit and of making an estimate,
// beside two readings of the clock; then the long form of tests/monitor/sample_test.cc: bias,
// coverage and marks from 2,000 to 100,000 timed visits. Prints PASS or MISS and exits 1 on a MISS.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>

#include "monitor/interface/probe.h"
#include "tests/monitor/sample_trials.h"

namespace {

using namespace andes;
using namespace andes::monitor;
using namespace andes::test;

bool missed = false;

const char* verdict(bool pass) {
  missed |= !pass;
  return pass ? "PASS" : "MISS";
}

volatile std::uint64_t sink;

/// Nanoseconds of one `work(i)`, i = 0 .. calls - 1.
template <class Work> double ns_of(int calls, Work work) {
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i) work(static_cast<std::uint64_t>(i));
  const auto end = std::chrono::steady_clock::now();
  return std::chrono::duration<double, std::nano>(end - begin).count() / calls;
}

void costs() {
  constexpr int rounds = 300, calls = 20000;
  double clock_ns = 1e9, add_ns = 1e9, estimate_ns = 1e9;
  Sample sample{}, skewed{}; // the latter has many buckets to judge the tail by
  Blocks blocks{1, 0, 0};
  Random random(1);
  for (int i = 0; i < 5000; ++i)
    add(skewed, static_cast<std::uint64_t>(draws_of("lognormal, s = 1.5").draw(random)), 64);
  for (int round = 0; round < rounds; ++round) {
    clock_ns = std::min(clock_ns, ns_of(calls, [](std::uint64_t) {
                          const std::uint64_t begin = ANDES_TICKS();
                          sink = ANDES_TICKS() - begin;
                        }));
    // The next gap is part of a timed visit, and varies what is added.
    add_ns = std::min(add_ns, ns_of(calls, [&](std::uint64_t i) {
                        add(sample, 1000 + (i & 1023) * next_gap(blocks, 64), blocks.k);
                      }));
    estimate_ns = std::min(estimate_ns, ns_of(20, [&](std::uint64_t i) {
                             const Estimate result =
                                 estimate(skewed, 320000. + static_cast<double>(i));
                             sink = static_cast<std::uint64_t>(result.total);
                           }));
  }
  fmt::print("two clock readings {:.1f} ns\n", clock_ns);
  fmt::print("next gap and add   {:.1f} ns, {:.2f} x two clock readings (bound 1)  {}\n", add_ns,
             add_ns / clock_ns, verdict(add_ns <= clock_ns));
  fmt::print("one estimate       {:.1f} us\n\n", estimate_ns / 1000);
}

/// The bound of a share of `count` trials, less what chance alone may take: two standard errors.
double with_chance(double bound, int count) {
  return bound - 2 * std::sqrt(bound * (1 - bound) / count);
}

void row(const std::string& name, std::int64_t timed, int count, const Outcome& outcome,
         bool pass) {
  fmt::print(
      "{:<32} {:>7} {:>6} {:>7.3f} {:>7.2f} {:>6.2f} {:>6.2f} {:>6.3f} {:>6.2f} {:>7.1f}  {}\n",
      name, timed, count, 100 * outcome.bias, 100 * outcome.covered, 100 * outcome.above,
      100 * outcome.above_normal, outcome.width, outcome.error, 100 * outcome.reliable,
      verdict(pass));
}

void statistics() {
  fmt::print("width: of the normal interval's. above: truths above the interval, and above the\n"
             "normal interval. error: standard error stated / found.\n");
  fmt::print("{:<32} {:>7} {:>6} {:>7} {:>7} {:>6} {:>6} {:>6} {:>6} {:>7}\n", "", "timed",
             "trials", "bias %", "cover %", "above", "normal", "width", "error", "rel. %");
  for (int timed : {2000, 5000, 20000, 100000}) {
    const int count = 16'000'000 / timed;
    for (const Draws& draws : ordinary_draws()) {
      const Outcome outcome = trials(draws, timed, count);
      row(draws.name, timed, count, outcome,
          std::fabs(outcome.bias) < 0.005 && outcome.covered >= with_chance(0.93, count) &&
              outcome.width <= 1.1 && outcome.reliable >= with_chance(0.99, count));
    }
    const Draws& skewed = draws_of("lognormal, s = 1.5");
    const Outcome outcome = trials(skewed, timed, count);
    row(skewed.name, timed, count, outcome,
        std::fabs(outcome.bias) < 0.005 && outcome.covered >= with_chance(0.93, count) &&
            outcome.width <= 1.25 && outcome.reliable > 0.5);
    for (const Draws& draws : pareto_draws()) {
      const Outcome heavy = trials(draws, timed, count);
      row(draws.name, timed, count, heavy, 1 - heavy.reliable >= with_chance(0.95, count));
    }
    for (const Program& program : programs(16, static_cast<std::size_t>(timed) * 16)) {
      const Outcome of_program = trials(program, count);
      row(program.name, timed, count, of_program,
          std::fabs(of_program.bias) < 0.005 && of_program.covered >= with_chance(0.93, count));
    }
  }
  // How many it takes: nothing is promised below 2,000.
  fmt::print("\nfew timed visits (nothing is promised)\n");
  for (int timed : {10, 30, 100, 300, 1000})
    for (const char* name : {"bimodal 50/50, x1/x10", "bimodal 99/1, x1/x100", "exponential",
                             "lognormal, s = 1", "lognormal, s = 1.5", "pareto, index 1.5"})
      row(name, timed, 4000, trials(draws_of(name), timed, 4000), true);
}

} // namespace

int main() {
  costs();
  statistics();
  return missed ? 1 : 0;
}
