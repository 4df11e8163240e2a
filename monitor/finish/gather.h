// Gathering: what the ranks have measured comes together at rank 0 along a binomial tree of
// messages, each receiver merging what it gets. A rank holds its own reduction and that of one
// child at a time, plus one piece of at most 1 MiB. Every step has the same deadline (CLOCK_MONOTONIC).
#pragma once
#include <string>

#include "monitor/finish/reduction.h"

namespace andes {

struct Gathered {
  bool at_root = true; // this rank holds the result
  bool complete = true;
  std::string trouble; // why not complete
};

/// Merges what this rank's children send into `reduction`, sends it on unless this is rank 0.
/// `transport` null: a run of one rank.
Gathered gather(Reduction& reduction, const Bounds& bounds, const andes_transport* transport,
                std::int64_t deadline_ns);

/// What became of the run, from rank 0 to all: down the same tree. Returns whether it is safe; false also where
/// no word comes by the deadline. Not after a gathering that was not complete.
bool acknowledge(bool safe, const andes_transport* transport, std::int64_t deadline_ns);

} // namespace andes
