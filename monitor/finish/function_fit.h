// Function fit: times of call paths, as windows and sampled visits estimate them, made to agree with how samples of the
// program counter divide a thread's time among functions (monitor/core/function_samples.h). docs/metrics.md, "Functions
// by samples".
//
// What is estimated of a call path is its time with that of its callees; own times are differences of these. So what
// moves an estimate moves its own time and that of its caller the other way: samples of a function move nothing between
// two call paths that both lie in it.
//
// Invariants:
//  - what is exact stays, and with it the sum of own times below it;
//  - no own time gets negative, and no time of estimated visits.
#pragma once
#include <cstdint>
#include <vector>

namespace andes::monitor {

/// What is known of a call path before; ticks, ticks^2. Callers come before their callees.
struct KnownTime {
  double own = 0; // below zero where the estimates of its callees are more than its own
  double variance = 0; // of the estimate of its visits, callees included; 0: they are exact
  std::uint32_t parent = 0; // number of its caller; its own number: it has none
  std::int32_t function = -1; // number of the one that its probe's code lies in; -1: it is not known
  std::uint32_t region = 0;
  double estimated = 0; // time of the estimated visits
  double waits = 0; // variance of their waits for a core, not in the other: samples tell nothing of them
};

/// The time that samples of functions divide: what passed in functions that are known. Where a caller of unknown code
/// has an own time below zero, its callees are estimated too long by that.
double divided_time(const std::vector<KnownTime>& known);

/// Samples of all functions, by number, and those that belong to one of them, but it is not known to which.
struct FunctionCounts {
  std::vector<double> samples;
  double unknown = 0;
  std::vector<double> probes = {}; // ticks that samples of a function are of its open probes; none: empty
  std::vector<double> edges = {}; // ticks that may belong to the code around instead; none: empty
  double error_of_share = 0.02; // of a function's share of the time: of its time with a core
};

/// The same afterwards, variances with those of waits.
struct FittedTime {
  double own = 0, own_variance = 0;
  double in_region = 0; // variances of the sums of own times of regions: the part that is this call path's
  double moved = 0; // by so much the estimate is more than before
  double variance = 0; // of the estimate
};

/// The estimates that fit best: those with the least sum of squares of their distances from what is known, divided by
/// the variances, samples included (generalised least squares; Aitken, Proc. R. Soc. Edinburgh 55, 1935), found by
/// projections onto one condition after the other (Kaczmarz, Bull. Acad. Polon. A 35, 1937; for those that something is
/// not negative Hildreth, Naval Research Logistics Quarterly 4, 1957).
std::vector<FittedTime> fit(const std::vector<KnownTime>& known, const FunctionCounts& counts);

} // namespace andes::monitor
