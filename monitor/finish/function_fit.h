// Function fit: own times of call paths, as windows estimate them, made to agree with how samples of the program
// counter divide a thread's time among functions (monitor/core/function_samples.h). docs/metrics.md, "Functions by
// samples".
//
// Invariants:
//  - the own times of a cell keep their sum;
//  - none gets negative, and what is exact stays as it is.
#pragma once
#include <cstdint>
#include <vector>

namespace andes::monitor {

/// What is known of a call path's own time before; ticks, ticks^2.
struct OwnTime {
  double ticks = 0;
  double variance = 0; // 0: exact
  std::uint32_t cell = 0; // number of the call path, itself or above, whose visits are exact
  std::int32_t function = -1; // number of the one that its probe's code lies in; -1: it is not known
  double waits = 0; // variance of its waits for a core, not in the other: samples tell nothing of them
};

/// Samples of all functions, by number, and those that belong to one of them, but it is not known to which.
struct FunctionCounts {
  std::vector<double> samples;
  double unknown = 0;
  std::vector<double> probes = {}; // ticks that samples of a function are of its open probes; none: empty
  double error_of_share = 0.02; // of a function's share of the time: of its time with a core
};

/// The own times that fit best, with their variances, waits for a core included: those with the least sum of squares of
/// their distances from what is known, divided by the variances, samples included (generalised least squares; Aitken,
/// Proc. R. Soc. Edinburgh 55, 1935), found by projections onto one condition after the other (Kaczmarz, Bull. Acad.
/// Polon. A 35, 1937).
std::vector<OwnTime> fit(const std::vector<OwnTime>& own, const FunctionCounts& counts);

} // namespace andes::monitor
