// Changes: what another build of a program did to its time, to every term of its ledger of lost time, and to every call
// path, at each size that both builds have. Docs/metrics.md, "What changed".
//
// Invariants:
//  - the terms of a size add up to the change of its core time (ledger.h);
//  - a change is claimed of a call path only if the false discovery rate of all such claims is kept, and the ranks
//    of its repeats agree; without a claim it is equal within the margin, or the runs cannot tell (decision 264);
//  - seconds are the time of all threads over their number, which is that of the cores and of those in no team as far
//    as they lived (CoreTime::threads): of a call path, by how much T would change if it was spread evenly.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "postproc/analysis/core_time.h"
#include "postproc/analysis/identity.h"
#include "postproc/analysis/points.h"

namespace andes::postproc {

inline constexpr double false_discovery_rate = 0.05;

enum class ChangeVerdict { slower, faster, shifted, equal, undecided };
/// As in JSON. `shifted`: its terms changed, and what they add up to did not.
const char* name_of(ChangeVerdict verdict);

/// Medians over the repeats, in seconds.
struct TermChange {
  std::string name, title; // of the ledger
  double before_s = 0, after_s = 0;
  double change_s = 0; // of a size's terms: between its middle runs, so that they add up
  double chance = 1; // of as large a change if there was none
  bool changed = false; // claimed
};

/// What a term or call path changed by, and what is known about that.
struct ChangeFigures {
  Estimate before_s, after_s, change_s;
  double chance = 1; // that none of its terms changed
  double unequal_chance = 1; // of values as near to each other if they differed by the margin
  ChangeVerdict verdict = ChangeVerdict::undecided;
  std::optional<double> more_runs; // of each build, that would tell; absent: decided, or its spread is not known
};

struct PathChange {
  std::vector<std::string> path, was; // `was`: before, where it had other names
  Match guess;
  std::string kind, file;
  int line = 0;
  bool is_new = false, vanished = false;
  ChangeFigures figures;
  std::vector<TermChange> terms; // those that are not zero, the most changed first
  std::optional<ComputationSplit> computation; // where instructions and cycles were counted in both
};

struct SizeChanges {
  int ranks = 0, threads = 1;
  bool oversubscribed = false; // in one of the builds
  double cores = 0, other_threads_s = 0; // of the newer build, as of a ledger
  std::size_t runs_before = 0, runs_after = 0;
  ChangeFigures time; // T
  std::vector<TermChange> terms; // the most changed first
  std::vector<PathChange> paths; // those that were tested: slower, faster, shifted, then the most changed first
  std::size_t light = 0; // not tested: less than a tenth of the margin in all runs
};

/// A call path that is not plainly the same in both builds.
struct Unlike {
  std::vector<std::string> path, was; // one of them is empty: vanished, new
  Match guess;
};

struct Changes {
  double margin_percent = 3; // of T
  std::vector<SizeChanges> sizes;
  std::size_t tested = 0; // call paths, all sizes
  std::size_t callpaths = 0, matched = 0; // of all runs; those that both builds have
  std::vector<Unlike> unlike; // in order of the newer build, then vanished ones
};

/// Compares the sizes that both builds have; there are none where one of the builds has no finished run. Reads the call
/// trees of the runs, except for those that `read` has already. Throws Refusal like read_run.
Changes changes_of(const Build& before, const Build& after, double margin_percent, const CommonSize* read = nullptr);

} // namespace andes::postproc
