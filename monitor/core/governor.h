// Governor: keeps the cost of probes within the budget (setting budget_percent) by timing less, where
// it tells least. It knows what a visit costs (calibrate.h) and looks at a call path whenever its
// countdown ends. While a location is over its budget, the call paths whose visits are shortest
// against their cost go first: exact ones become sampled, sampled ones are muted. The threshold
// halves with every window over the budget, so nothing is given up that need not be.
//
// Invariants:
//  - call paths that lead to MPI, to parallel regions or to barriers, and these, stay exact;
//  - k, the length of a block of which one visit is timed, follows from rates only;
//  - no decision is taken back but by a pin (tree.h): estimates have one beginning.
#pragma once
#include <cstdint>

#include "monitor/core/tree.h"

namespace andes {

/// What probes cost, in ticks; measured at start.
struct ProbeCosts {
  double pair = 0;         // an exact visit, enter and leave
  double inner = 0;        // of it, what its own time contains
  double sampled = 0;      // a visit that is only counted
  double sample = 0;       // the timed one among them
  double sample_inner = 0; // of it, what its own time contains
  double hook = 0;         // what a visit by a compiler's hooks costs more; once there are any
  double error = 0;        // how much `pair` differed between measurements
  double ticks_per_ms = 0;
};

/// State of one location.
struct Governor {
  double budget;      // share of the wall time; 0: everything stays exact
  bool may_mute;
  const ProbeCosts* costs;
  std::uint64_t seed;
  double threshold;   // cost of a visit : its duration, beyond which it is timed less
  double balance_ticks; // what the budget has given and probes have not used
  std::uint64_t paid_ticks, window_begin_ticks;
  bool over;          // in debt
  bool may_sample = true; // what is counted (counters.h) is read at every visit or at none
};

void governor_start(Governor& governor, double budget, bool may_mute, const ProbeCosts& costs,
                    std::uint64_t seed, std::uint64_t now_ticks);
void governor_restart(Governor& governor, std::uint64_t now_ticks);

/// A new node: when to look at it first.
void govern(Governor& governor, Tree& tree, std::uint32_t node, std::uint64_t now_ticks);

/// Whether the node's next visit is the one of its block to be timed.
inline bool is_due(const Tree& tree, std::uint32_t node) { return tree.node(node).countdown <= 0; }

/// To be called before a visit of a node that is due. True: it is too hot even to sample, its region
/// should be muted.
bool review(Governor& governor, Tree& tree, std::uint32_t node, std::uint64_t now_ticks);

/// The timed visit of a block has begun, has ended after `ticks` (without what was timed inside).
void sample_begun(Tree& tree, std::uint32_t node);
void sample_ended(Tree& tree, std::uint32_t node, std::uint64_t ticks);

} // namespace andes
