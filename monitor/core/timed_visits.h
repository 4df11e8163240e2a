// Which of the visits of a sampled call path are timed, and what becomes of their durations: while its region is open
// one at a random place in each block (sample.h); while it is closed those in a part of a window, or where a window has
// many, clusters of them at random places (window_part.h).
#pragma once
#include "monitor/core/probe_costs.h"
#include "monitor/core/tree.h"

namespace andes::monitor {

/// To be called when a due visit of a sampled node has been counted: a visit soon after it is timed.
void begin_sample(Tree& tree, std::uint32_t node);

/// Time in closed regions below `node` since the last call of this function, by their mean times without what timed
/// visits contain of their probes.
double ticks_below(const Tree& tree, std::uint32_t node, const ProbeCosts& costs);

/// A timed visit of a sampled node.
struct TimedVisit {
  std::uint64_t begin_ticks;
  double ticks; // its duration, without what was timed inside
  double below; // the part of it in closed regions below, as far as it is known
  bool interrupted = false; // the thread has lost its core in it
  bool is_recursion = false; // into its own call path: a visit of its own within the one around it
  bool is_inside_timed = false; // and that one is timed, too
  std::uint64_t within = 0; // visits of direct recursion in it, which are counted only
};
void sample_ended(Tree& tree, std::uint32_t node, const TimedVisit& visit);

} // namespace andes::monitor
