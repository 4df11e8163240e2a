// Derive: computes the times of one location's call paths from its tree: estimates for sampled
// visits, the cost of the probes taken out, sums by kind. docs/metrics.md, "The tool's own time".
//
// Invariants:
//  - the exclusive times, including the tool's, sum to the root's inclusive time, whatever is
//    estimated or taken out;
//  - the inclusive time of a call path without recursion is the sum of the exclusive times below it;
//  - nothing taken out or estimated makes an exclusive time negative.
#pragma once
#include <cstdint>
#include <vector>

#include "monitor/core/function_samples.h"
#include "monitor/core/governor.h"
#include "monitor/finish/code_scopes.h"
#include "monitor/finish/core_loss.h"
#include "monitor/finish/own_errors.h"
#include "monitor/finish/window_estimate.h"

namespace andes::monitor {

/// By number of the node; in ticks.
struct Derived {
  std::vector<double> inclusive, exclusive, computation, communication, synchronisation, team_idle, io;
  std::vector<Estimate> estimates; // for visits that were not timed one by one
  std::vector<double> visits; // estimated where the region was closed
  std::vector<Distances> visits_error, visits_cost; // as WindowEstimate
  OwnErrors own_errors; // of exclusive times
  std::vector<double> cost_error; // of the probes' cost taken out of the estimates: the same for all visits
  std::vector<double> probe_error; // of visits timed one by one, where it matters: the same for all visits
  double tool_error = 0; // of the tool's exclusive time: what it costs to measure depends on the program
  std::int64_t tool_visits = 0; // visits whose cost is the tool's time
  double apart = 0; // the part of the team idle time that is between parallel regions
  double parallel = 0; // inclusive time of outermost parallel regions
};

/// Samples of the tree's thread.
struct Sampling {
  const FunctionSamples* samples = nullptr; // null: there are none
  double period_ticks = 0, cost_ticks = 0; // from one to the next, and what one takes of the thread's time
  const CodeScopes* scopes = nullptr; // null: none are known
};

Derived derive(const Tree& tree, const ProbeCosts& costs, const CoreLoss& loss = {}, const Sampling& sampling = {});

} // namespace andes::monitor
