// Gathering: the ranks' results come together at rank 0 along a binomial tree of messages; each
// receiver merges the reductions it gets. A rank holds its own reduction and that of one
// child at a time, plus one piece of at most 1 MiB. Every step has the same deadline (CLOCK_MONOTONIC).
#pragma once
#include <string>

#include "monitor/finish/reduction.h"

namespace andes::monitor {

struct Gathered {
  bool at_root = true; // this rank holds the result
  bool complete = true;
  std::string trouble; // the reason if not complete
};

/// Merges the reductions of this rank's children into `reduction`, and sends it on unless this is rank 0.
/// `transport` null: a run of one rank.
Gathered gather(Reduction& reduction, const Bounds& bounds, const andes_transport* transport, std::int64_t deadline_ns);

/// Sends from rank 0 to all, down the same tree, whether the run is safe. Returns that; false also if no
/// message comes before the deadline. Must not be called after an incomplete gathering.
bool acknowledge(bool safe, const andes_transport* transport, std::int64_t deadline_ns);

} // namespace andes::monitor
