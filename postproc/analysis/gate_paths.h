// Where a change of time comes from: differences of core time by call path and by term of the ledger, pair by pair.
//
// A call path has its own computation, communication, input and output and waiting for threads, without the functions
// that it calls, and the waits in MPI of all ranks that began with it: who waits because another rank computes longer
// is no cause. Which call path of the older build is which of the newer one, identity.h says.
#pragma once
#include <string>
#include <vector>

#include "postproc/analysis/match.h"
#include "postproc/analysis/paired.h"

namespace andes::postproc {

/// Run files of a pair.
struct PairOfFiles {
  std::string base, newer;
};

/// A part of the change; differences in per cent of the older build's core time (median).
struct ChangedTerm {
  std::string name, title;
  Shift percent; // interval of 95 %
  double seconds = 0; // core time, by its middle
};

/// A call path that takes enough time to matter.
struct ChangedPath {
  std::vector<std::string> path;
  std::string file;
  int line = 0;
  std::vector<std::string> was; // its names in the older build where they are others
  Match guess; // that it is the same
  double base_s = 0, newer_s = 0; // core time, medians over the pairs
  ChangedTerm whole; // all terms together
  ChangedTerm most; // the term that changed most in the same direction
  bool is_longer = false, is_shorter = false; // found at a false discovery rate of 5 % among all call paths
};

struct ChangedPaths {
  std::size_t compared = 0; // call paths
  std::vector<ChangedPath> paths; // of these, what became longer most first
  std::vector<ChangedTerm> terms; // of the whole program
  std::vector<double> untouched_log_ratios; // by pair: time of call paths in the regions given; empty: none has time
  std::vector<std::string> unknown; // of the regions given: no call path has one of this name
};

/// Reads the call trees. `untouched`: names of regions. Throws Refusal like read_run.
ChangedPaths changed_paths(const std::vector<PairOfFiles>& pairs, const std::vector<std::string>& untouched);

} // namespace andes::postproc
