// History: runs of many commits, in the order of the commits, and where the time changed.
//
// Runs are comparable if program, arguments, ranks and threads, MPI library and kind of host are the same; each such
// group has a history of its own. In it a commit counts by the median of its runs. What a change consists of is told by
// the commits near it: parts of the core time, which add up to the change, and call paths. Changes are looked for in
// the time alone: those of hundreds of call paths would each have false alarms, and an alarm that is wrong twice is
// switched off. `./setup history-trials` measures how often one is.
//
// Invariants:
//  - runs that are not of a commit (changes that were not committed) or not whole are counted, with the reason, and
//    left out; without stamps a build stands in the place of a commit;
//  - nothing depends on the order of the files.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "postproc/analysis/change_points.h"
#include "postproc/analysis/estimate.h"
#include "postproc/analysis/history_run.h"
#include "postproc/analysis/identity.h"

namespace andes::postproc {

/// All runs of a commit in a group.
struct HistoryCommit {
  std::string commit; // empty: the runs have no stamp
  std::string build; // of its first run
  std::string time; // of the commit, else of its first run; UTC, ISO 8601
  std::string branch;
  double time_s = 0; // median
  std::vector<const HistoryRun*> runs;
};

/// A part of the core time before and after a change, in seconds.
struct HistoryTerm {
  std::string name, title;
  double before_s = 0, after_s = 0;
  double change_s() const { return after_s - before_s; }
};

/// A call path whose own time changed, beyond its scatter.
struct HistoryPath {
  std::vector<std::string> path;
  std::string file;
  int line = 0;
  std::vector<std::string> was; // its names in the first older build where they are others
  Match guess; // that it is the same
  double before_s = 0, after_s = 0; // medians over commits, sums over threads
  Estimate change_s;
  std::string part; // that changed most: computation, communication, idle, io, threads
};

struct HistoryChange {
  ChangePoint point; // by number of the group's commits
  double before_s = 0, after_s = 0; // T: medians of the commits between the changes
  Estimate percent;
  std::vector<std::string> conditions; // what else changed: compiler, flags, kernel, andes
  std::vector<HistoryTerm> terms; // largest change first; they add up
  std::vector<HistoryPath> paths; // largest change first
};

struct HistoryGroup {
  std::string program, command, label, host, mpi;
  int ranks = 0, threads = 1;
  bool by_git = false; // the order is that of the repository; else that of the commits' times
  std::vector<HistoryCommit> commits;
  std::vector<HistoryChange> changes;
};

struct History {
  History() = default;
  History(History&&) = default; // groups point to runs
  History& operator=(History&&) = default;

  std::vector<HistoryRun> runs;
  std::vector<HistoryGroup> groups; // by program, command, ranks, threads, host, MPI
  std::map<std::string, std::size_t> left_out; // reason -> runs
};

/// The call paths of a run, by which those of other builds are found; without any, names tell.
using TreeOf = std::function<BuildTree(const HistoryRun& run)>;

/// Of `runs`, in the order of `commits` (oldest first) where that has all of a group's. `tree_of` is asked for one run
/// of each build near a change.
History history_of(std::vector<HistoryRun> runs, const std::vector<std::string>& commits, const TreeOf& tree_of);

} // namespace andes::postproc
