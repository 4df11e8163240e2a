// The rule of `andes gate`: how many pairs of runs are needed, and when those at hand are enough for a verdict.
//
// A verdict is an interval of the change (paired.h) that lies on one side of the tolerance. The pairs are looked at
// several times; an error at any look is an error, so each look may err with a part of the level, and the parts add up
// to it: after the part t of the pairs t^2 of the level has been spent (Kim and DeMets, doi 10.1093/biomet/74.1.149;
// Lan and DeMets, doi 10.1093/biomet/70.3.659). By Bonferroni's inequality the sum bounds the error of all looks
// together, whatever they have in common; the intervals hold at all looks together (Jennison and Turnbull,
// doi 10.1111/j.2517-6161.1989.tb01441.x).
//
// The number of pairs follows from the log-ratios so far: from their spread, which is the median of their distances
// from each other (Shamos), so that one pair in four may be wild, and from how often means of two pairs are as far off
// as the excess to be found (Noether), which counts wild pairs. It is made for a power of 95 % at a slow-down by
// `planned_excess` above the tolerance, and as much for showing that a change of zero is within a tolerance of 3 %; it
// may grow from look to look, never shrink. tests/postproc/gate_rule_test.cc simulates the error rates and the power;
// decision 265 says why this rule.
#pragma once
#include <cstddef>
#include <vector>

#include "postproc/analysis/paired.h"

namespace andes::postproc {

/// No look comes before these pairs, and no fewer than `fewest_pairs` are asked for.
inline constexpr std::size_t first_pairs = 8, fewest_pairs = 12;
/// More are never asked for: the machine is too noisy for the tolerance.
inline constexpr std::size_t most_pairs = 400;
inline constexpr double planned_excess = 0.03, planned_power = 0.95;

struct GateRule {
  double tolerance = 0.03; // of time: 0.03 allows 3 % more
  double level = 0.025; // error on either side: a regression where there is none beyond the tolerance, and the reverse
};

/// `not_run`: of a gate without a pair, never of pairs.
enum class GateVerdict { no_regression, regression, undecided, not_run };
/// As in JSON: `no_regression`.
const char* name_of(GateVerdict verdict);

struct Judgement {
  GateVerdict verdict = GateVerdict::undecided;
  std::size_t pairs = 0; // at the last look
  std::size_t asked = 0; // by the noise; 0: too few pairs to say
  std::size_t next_look = 0; // 0: more pairs change nothing
  Shift log_change; // of time, new over base; the interval that the verdict stands on. Without pairs: zero
  double spread = 0; // robust standard deviation of the log-ratios
};

/// Judges pairs in the order in which they were run: ln(new / base) of each. `is_complete`: there will be no more, so
/// that a last look takes what is left of the level. The same pairs give the same verdict whether they come one by one
/// or at once.
Judgement judge(const std::vector<double>& log_ratios, const GateRule& rule, bool is_complete);

/// How many pairs this spread of log-ratios asks for; at most most_pairs, as below.
std::size_t pairs_for_spread(double spread, const GateRule& rule);

/// How many pairs are asked for where this part of all means of two pairs is nearer to the middle than the excess.
std::size_t pairs_for_agreement(double part, const GateRule& rule);

/// ln(new / base) as a change in per cent: 4 is slower by 4 %.
double percent_of_log(double log_ratio);

} // namespace andes::postproc
