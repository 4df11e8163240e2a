// The gate: whether a build is slower than another by more than a tolerance, from pairs of runs of both
// (docs/gate.md).
//
// Invariants:
//  - a pair is the runs of both builds with the same size and repeat number; the older build runs first in pairs with
//    odd numbers, the newer one in those with even numbers;
//  - the verdict of a size is that of its pairs (gate_rule.h), unless a control or a disturbance says that something
//    else than the change may have caused it: then it is undecided, with the reason;
//  - the sizes share the level of the rule, so that more sizes do not alarm more often.
#pragma once
#include <string>
#include <vector>

#include "postproc/analysis/gate_paths.h"
#include "postproc/analysis/gate_rule.h"
#include "postproc/analysis/gate_watch.h"
#include "postproc/analysis/series.h"

namespace andes::postproc {

struct GateOptions {
  double tolerance = 0.03;
  bool oversubscribed_ok = false;
  /// What stood for {exe}, if no other word of the command changes: then other arguments are another problem, unless it
  /// is an argument itself. Absent: the commands may differ.
  std::optional<std::string> only_exe;
  std::vector<std::string> untouched = {}; // regions that the change cannot have touched
};

struct GatePair {
  int repeat = 0;
  std::string base_file, new_file;
  double base_s = 0, new_s = 0; // T
};

/// Pairs of a size, and what they say.
struct GatedSize {
  int ranks = 0, threads = 1;
  std::vector<GatePair> pairs; // in the order of their numbers
  std::size_t unpaired = 0; // runs whose other half is missing or failed
  Estimate base_s, new_s; // T
  Judgement judgement; // of the pairs alone
  GateVerdict verdict = GateVerdict::undecided;
  std::vector<std::string> doubts; // why the verdict is not that of the pairs; a phrase each
  std::vector<std::string> notes; // what else was seen
  std::vector<GateControl> controls;
  ChangedPaths changes;
};

struct GatedBuild {
  std::string hash, executable;
  std::size_t runs = 0;
};

struct Gate {
  std::string program;
  double tolerance_percent = 3;
  GatedBuild base, newer;
  GateVerdict verdict = GateVerdict::undecided;
  std::vector<GatedSize> sizes;
  std::string trouble; // why runs are missing; empty: none are
};

/// The rule for each of so many sizes.
GateRule rule_for(double tolerance, std::size_t sizes);

/// Of the sizes that both builds have. Reads the call trees of all runs. Throws Refusal if there is no pair, or runs
/// have no numbers or the same ones.
Gate gate_of(const Build& base, const Build& newer, const GateOptions& options);

} // namespace andes::postproc
