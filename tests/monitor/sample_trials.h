// Trials of the estimate of sampled visits: many samples of durations whose true total is known,
// and how often, how far and how wide the estimates were. Shared by the test and the bench.
//
// Two kinds. Draws: durations are independent and blocks so long that the timed visits are a
// sample of an endless supply; the truth is the mean of the distribution. Programs: every visit's
// duration is written down, the real blocks choose among them, and the truth is their sum.
#pragma once
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "monitor/finish/estimate.h"

namespace andes::test {

using namespace monitor;

using Random = std::mt19937_64;

/// Independent durations of one distribution.
struct Draws {
  std::string name;
  double mean_ticks;
  double (*draw)(Random&);
};

/// One run of a program: the duration of every visit, and k at every visit that begins a block.
struct Program {
  std::string name;
  std::vector<std::uint64_t> ticks;
  std::vector<std::uint32_t> k;
};

/// What came of the trials. Shares are between 0 and 1.
struct Outcome {
  double bias;         // mean of the estimates / truth - 1
  double bias_ticks;   // mean of the estimates - truth, ticks per visit
  double covered;      // share of the intervals that hold the truth
  double above;        // share of the truths above the upper end
  double above_normal; // share of them above total + 1.96 standard errors
  double width;        // mean width / that of the normal intervals; 0 if both have none
  double error;        // mean standard error / standard deviation of the estimates; 1: right
  double reliable;     // share of the estimates that are said to be reliable
};

/// Trials of `timed` timed visits each.
Outcome trials(const Draws& draws, int timed, int count);
Outcome trials(const Program& program, int count);

/// Durations of 2,100 ticks (about a microsecond) or more in the mean, but for `short_visits`.
const Draws& draws_of(const std::string& name);
/// Those for which intervals and marks are promised: constant, bimodal, exponential, gamma,
/// lognormal of s = 1.
const std::vector<Draws>& ordinary_draws();
/// Pareto tails of index 1.2, 1.5 and 1.8: their variance is infinite.
const std::vector<Draws>& pareto_draws();

/// Programs of `visits` visits with a rhythm, a trend or phases, for blocks of `k`.
std::vector<Program> programs(std::uint32_t k, std::size_t visits);

} // namespace andes::test
