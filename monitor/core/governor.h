// Governor: keeps the cost of measuring within the budget (setting budget_percent) by timing fewer visits where
// timing tells least. From time to time it sweeps over a location's tree: the cost of each call path since the last
// sweep, from its visits and the calibrated prices (calibrate.h), is the forecast of its cost to come. Above the
// budget the call paths whose visits are shortest against their price go first: exact ones become sampled, and
// regions whose visits are too many even to count are closed but for short windows (windows.h), if this saves more
// than their callees that stay open would search for (hidden_frames.h). Well below it sampled ones become exact again;
// closed regions are opened again by the code that opens windows.
//
// Invariants:
//  - only the cost to come counts: budget that was not used is not saved up, and budget that was exceeded is
//    not repaid;
//  - parallel regions, barriers and call paths above these stay exact; so do MPI calls, but for those that are
//    accounted for by time and visits alone (MPI_Wtime), and polls, whose regions may be closed;
//  - k, the length of a block of which one visit is timed, follows from rates only;
//  - a call path that had to be sampled again soon after it became exact waits twice as long the next time.
// docs/decisions/0233 gives the reasons.
#pragma once
#include <cstdint>

#include "monitor/core/probe_costs.h"
#include "monitor/core/tree.h"

namespace andes::monitor {

/// Regions that one sweep wants to close.
struct ToClose {
  static constexpr std::uint32_t most = 64;
  std::uint32_t count = 0;
  std::uint32_t regions[most];
};

/// State of one location.
struct Governor {
  double budget;      // share of the wall time; 0: everything stays exact
  bool may_close;     // setting windows
  ProbeCosts costs;   // of the latest calibration, as of the last sweep
  std::uint64_t seed;
  std::uint64_t swept_ticks = 0;   // begin of the interval that the next sweep looks at
  std::uint64_t looked_ticks = 0;  // time of the last look at all call paths, whether a sweep or too early for one
  std::uint64_t asked_ticks = 0;   // time of the last request for a sweep
  double known_ticks = 0; // what visits since the last sweep are known to have cost: at the last look, and of
      // those that were due since
  std::uint64_t calm_until_ticks = 0; // before this no call path becomes exact again
  double calm_ms = 0; // length of the next such wait
  double forecast = 0; // share of the time, as of the last sweep
  double timed_by_all = 0, timed_share = 0; // of the budget, for timed visits of all sampled call paths, of each
  // Costs of known_call() and of find_caller() where it knows the result, for code that must not compute in floating
  // point.
  std::uint64_t known_call_ticks = 0, known_search_ticks = 0;
  std::uint32_t generation = 0; // Windows::generation when the nodes were last updated (windows.h)
  bool may_sample = true; // false where every visit must be seen (sees_all_visits)
};

void governor_start(Governor& governor, double budget, bool may_close, const ProbeCosts& costs, std::uint64_t seed,
                    std::uint64_t now_ticks);
/// What probes cost from now on.
void take_costs(Governor& governor, const ProbeCosts& costs);
/// A new interval begins: cost before it is forgotten.
void governor_restart(Governor& governor, std::uint64_t now_ticks);

/// Sets when a new node is looked at for the first time.
void govern(const Governor& governor, Tree& tree, std::uint32_t node);

/// Whether the governor wants to see the node's next visit, or that visit is the one of its block to be timed.
inline bool is_due(const Tree& tree, std::uint32_t node) { return tree.node(node).countdown <= 0; }

/// To be called before a visit of a node that is due. True: it is time for a sweep, too.
bool review(Governor& governor, Tree& tree, std::uint32_t node, std::uint64_t now_ticks);

/// Of the visits that are open, from the outermost one on. None where a thread has several stacks: those that stand
/// still are out of sight, and their visits last on.
struct OpenFrames {
  const andes_frame* first = nullptr;
  const andes_frame* end = nullptr;
};

/// Makes the forecast and acts on it. `to_close` gets the regions that are too hot even to count.
void sweep(Governor& governor, Tree& tree, const OpenFrames& open, std::uint64_t now_ticks, ToClose& to_close);

} // namespace andes::monitor
