// Governor: keeps the cost of measuring within the budget (setting budget_percent) by timing less, where it tells
// least. From time to time it sweeps over a location's tree: what each call path has cost since the last sweep, by
// its visits and the calibrated prices (calibrate.h), is the forecast of what it will cost. Above the budget the call
// paths whose visits are shortest against their price go first: exact ones become sampled, and regions whose visits
// are too many even to count are closed but for short windows (windows.h). Well below it sampled ones become exact
// again; closed regions are opened again by whoever opens windows.
//
// Invariants:
//  - what counts is what is to come: cost that is spent is neither saved up nor repaid;
//  - parallel regions, barriers and call paths above these stay exact; so do MPI calls, but for those that are
//    accounted for by time and visits alone (MPI_Wtime, MPI_Iprobe), whose regions may be closed;
//  - k, the length of a block of which one visit is timed, follows from rates only;
//  - a call path that had to be sampled again soon after it became exact waits twice as long the next time.
// docs/decisions/0233 says why it is so.
#pragma once
#include <cstdint>

#include "monitor/core/tree.h"

namespace andes {

/// What probes cost, in ticks; measured at start.
struct ProbeCosts {
  double pair = 0;         // an exact visit, enter and leave
  double inner = 0;        // of it, what its own time contains
  double sampled = 0;      // a visit that is only counted
  double sample = 0;       // what one of them that is timed costs, with those that warm up for it
  double sample_inner = 0; // of it, what its own time contains
  double timed = 0;        // a timed one itself
  double closed = 0;       // a visit of a closed region: what its probe takes that is out of use
  double hook = 0;         // what a visit by a compiler's hooks costs more; once there are any
  double error = 0;        // how much `pair` differed between measurements
  double ticks_per_ms = 0;
};

/// What visits in windows cost, `timed` of which read the clock. Counting adds but a part of its calibrated cost to the time of
/// the program around it, most of which goes on meanwhile: measured, a tenth to four tenths in functions of 5 to 50 ns. A call
/// of MPI comes by its wrapper as well, which is none of the fast path.
inline double cost_in_windows(const ProbeCosts& costs, std::uint32_t kind, bool by_hooks, double visits, double timed) {
  const double counted = (ANDES_KIND_IS_MPI(kind) ? 1 : 0.25) * costs.sampled;
  return visits * (by_hooks ? costs.hook : 0) + (visits - timed) * counted + timed * costs.timed;
}

/// Regions that shall be closed, of one sweep.
struct ToClose {
  static constexpr std::uint32_t most = 64;
  std::uint32_t count = 0;
  std::uint32_t regions[most];
};

/// State of one location.
struct Governor {
  double budget;      // share of the wall time; 0: everything stays exact
  bool may_close;     // setting windows
  const ProbeCosts* costs;
  std::uint64_t seed;
  std::uint64_t swept_ticks = 0;   // begin of what the next sweep looks at
  std::uint64_t looked_ticks = 0;  // last time that somebody asked for a sweep and it was too early or made
  std::uint64_t calm_until_ticks = 0; // nothing is taken back before
  double calm_ms = 0;              // how long it waits the next time
  double forecast = 0;             // share of the time, as of the last sweep
  double slow_visits = 0;          // since then: visits that took the slow path for another reason than those above
  std::uint32_t generation = 0;    // of closed regions, when nodes were last told (windows.h)
  bool may_sample = true;    // what is counted (counters.h) is read at every visit or at none
};

void governor_start(Governor& governor, double budget, bool may_close, const ProbeCosts& costs, std::uint64_t seed,
                    std::uint64_t now_ticks);
/// A new interval begins: what was spent before is forgotten.
void governor_restart(Governor& governor, std::uint64_t now_ticks);

/// A new node: when to look at it first.
void govern(const Governor& governor, Tree& tree, std::uint32_t node);

/// Whether the node's next visit is one that the governor wants to see, or the one of its block to be timed.
inline bool is_due(const Tree& tree, std::uint32_t node) { return tree.node(node).countdown <= 0; }

/// To be called before a visit of a node that is due. True: a sweep is due, too.
bool review(Governor& governor, Tree& tree, std::uint32_t node, std::uint64_t now_ticks);

/// Makes the forecast and follows it. `to_close`: regions that are too hot even to count.
void sweep(Governor& governor, Tree& tree, std::uint64_t now_ticks, ToClose& to_close);

/// The visit of a sampled node that is due has been counted: soon one of its block is timed.
void begin_sample(Tree& tree, std::uint32_t node);
/// A visit of a sampled node was timed and took `ticks` (without what was timed inside), `inner` of them for its own probe.
void sample_ended(Tree& tree, std::uint32_t node, std::uint64_t ticks, double inner);

} // namespace andes
