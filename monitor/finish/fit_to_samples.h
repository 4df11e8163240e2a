// Makes what windows and sampled visits tell of a tree agree with samples of functions (function_fit.h).
//
// Invariants:
//  - the time of exact visits, and with it that of their call paths, stays;
//  - visits stay.
#pragma once
#include <vector>

#include "monitor/finish/seen.h"

namespace andes::monitor {

/// Adds what samples have taken from the thread's time, which is where they were taken, to the cost in the own time of
/// each node.
void add_cost_of_samples(const Tree& tree, const std::vector<Seen>& seen, const Sampling& sampling,
                         std::vector<double>& cost);

/// Changes `seen` and `estimates` of nodes whose visits were estimated. `costs`: of probes, `cost`: in the own time of
/// each node. Returns the distances of own times to the ends of their 95 % intervals; nothing, and changes nothing,
/// where samples tell too little.
std::vector<double> fit_to_samples(const Tree& tree, const ProbeCosts& costs, const Sampling& sampling,
                                   const std::vector<double>& cost, std::vector<Seen>& seen,
                                   std::vector<Estimate>& estimates);

/// The same distances where there are no samples, as estimates of a node and of its callees tell: for runs in which
/// other threads and ranks have samples, since errors of their sums are those of all.
std::vector<double> own_errors_without_samples(const Tree& tree, const std::vector<Seen>& seen,
                                               const std::vector<Estimate>& estimates);

} // namespace andes::monitor
