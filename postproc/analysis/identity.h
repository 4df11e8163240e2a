// Identity: which call path of one build of a program is which of another, and the call paths of many runs side by
// side. Sweeps, comparisons of builds, histories and pages find a call path in another run by these rules alone
// (decision 263): within a build by names, files and lines; between builds by names, files and content, and what is
// matched by likeness is a guess that gives its reason.
//
// Invariants: each call path has one partner at most; partners of guesses are nowhere else a better match.
#pragma once
#include <string>
#include <vector>

#include "postproc/analysis/build_tree.h"
#include "postproc/analysis/region_identity.h"

namespace andes::postproc {

/// By call path of the newer build.
std::vector<Match> match_paths(const BuildTree& older, const BuildTree& newer);

/// A call path that one of the runs has, as the newest build that has it shows it.
struct SharedPath {
  int parent = -1; // in SharedPaths::paths; -1: a root
  std::string name, kind, file;
  int line = 0;
  int builds = 1; // in how many builds it is
  Match guess; // the first one on the way to older builds
  std::vector<std::string> was; // the names on the path in the first older build where they are others
};

struct SharedPaths {
  std::vector<SharedPath>
      paths; // parents before children: those of the newest build, then what older ones had beside it
  std::vector<std::vector<int>> of; // by run (or build), by its call path: number in `paths`
};

/// Of builds, the oldest first, each with the call paths of all of its runs.
SharedPaths shared_paths(std::vector<BuildTree> builds);

/// Names on a path, as path_of().
std::vector<std::string> path_of(const SharedPaths& shared, int path);

/// The innermost on a path (itself first) whose place in the source is known; null: none.
const SharedPath* placed(const SharedPaths& shared, int path);

/// `builds`: of each run, its build (equal numbers: the same), the older ones smaller. Profiles with Detail::tree.
SharedPaths shared_paths(const std::vector<const Profile*>& runs, const std::vector<int>& builds);

/// Builds of runs for the above, by their executables, in the order in which the runs first have them.
std::vector<int> builds_of(const std::vector<const Profile*>& runs);

} // namespace andes::postproc
