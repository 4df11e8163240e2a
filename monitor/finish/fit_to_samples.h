// Makes what windows and sampled visits tell of a tree agree with samples of functions (function_fit.h).
//
// Invariants:
//  - the time of exact visits, and with it that of their call paths, stays;
//  - visits stay.
#pragma once
#include <vector>

#include "monitor/finish/own_errors.h"
#include "monitor/finish/seen.h"

namespace andes::monitor {

/// Adds what samples have taken from the thread's time, which is where they were taken, to the cost in the own time of
/// each node.
void add_cost_of_samples(const Tree& tree, const std::vector<Seen>& seen, const Sampling& sampling,
                         std::vector<double>& cost);

/// Changes `seen` and `estimates` of nodes whose visits were estimated. `costs`: of probes, `cost`: in the own time of
/// each node. Returns nothing, and changes nothing, where samples tell too little.
OwnErrors fit_to_samples(const Tree& tree, const ProbeCosts& costs, const Sampling& sampling,
                         const std::vector<double>& cost, std::vector<Seen>& seen, std::vector<Estimate>& estimates);

/// The same where there are no samples, as estimates of a node and of its callees tell: for runs in which other threads
/// and ranks have samples, since errors of their sums are those of all.
OwnErrors own_errors_without_samples(const Tree& tree, const std::vector<Seen>& seen,
                                     const std::vector<Estimate>& estimates);

} // namespace andes::monitor
