// BuildTree: the call paths of all runs of one build, each once. In runs of one build a call path is known by the
// names, files and lines of the regions on it (decision 263): nothing moves between them, so nothing is guessed, and a
// function that only runs of one size enter is never taken for one that only others do.
//
// Invariant: parents stand before their children.
#pragma once
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "postproc/model/profile.h"

namespace andes::postproc {

struct BuildTree {
  std::vector<Region> regions;
  std::vector<CallPath> paths;
  std::vector<double> visits; // by path, sum over ranks, in the first run that has it; 0: not known

  // By what a region and a call path are found again; the last number tells apart those that share all
  // else.
  std::map<std::tuple<std::string, std::string, std::string, int, int>, int> known_regions; // kind, name, file, line
  std::map<std::tuple<int, int, int>, int> known_paths; // parent, region

  const Region& region_of(std::size_t path) const { return regions[static_cast<std::size_t>(paths[path].region)]; }
};

/// Adds the call paths of a run that are new. Gives the numbers of all of its call paths in the tree.
std::vector<int> add_run(BuildTree& tree, const Profile& profile);

/// Names on a path of the tree, as path_of().
std::vector<std::string> path_of(const BuildTree& tree, int path);

} // namespace andes::postproc
