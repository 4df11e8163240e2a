// Derive: the times of one location's call paths from what its tree counted: estimates for sampled
// visits, the cost of the probes taken out, kinds summed up. docs/metrics.md, "The tool's own time".
//
// Invariants:
//  - the exclusive times, the tool's included, sum to the root's inclusive time, whatever is
//    estimated or taken out;
//  - the inclusive time of a call path without recursion is the sum of the exclusive times below it;
//  - nothing taken out or estimated makes an exclusive time negative.
#pragma once
#include <cstdint>
#include <vector>

#include "monitor/core/governor.h"
#include "monitor/finish/window_estimate.h"

namespace andes {

/// By number of the node; in ticks.
struct Derived {
  std::vector<double> inclusive, exclusive, computation, communication, synchronisation, team_idle;
  std::vector<Estimate> estimates; // of visits that were not timed one by one
  std::vector<double> visits, visits_error; // estimated where the region was closed: distance to either end
  std::int64_t tool_visits = 0;    // visits whose cost is the tool's time
  double apart = 0;                // of the team idle time: between parallel regions
  double parallel = 0;             // inclusive time of outermost parallel regions
};

/// What a thread has lost to others that had its core; all zero: nothing.
struct CoreLoss {
  double share = 0;    // time without a core while ready, of the time with one
  double per_tick = 0; // how often, in a tick of the time with a core
  double ticks = 0;    // how long each time
};

Derived derive(const Tree& tree, const ProbeCosts& costs, const CoreLoss& loss = {});

} // namespace andes
