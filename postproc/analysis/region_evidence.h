// What regions of two builds are compared by: in which function they lie, what they call, who calls them and how often.
#pragma once
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "postproc/analysis/build_tree.h"

namespace andes::postproc {

using Regions = std::vector<int>; // numbers in a tree

/// Of the regions of a build, all by region. What is owned (lambdas, loops, constructs, places of calls) lies in a
/// function and has no name of its own; callers and callees are those around and in it.
struct RegionEvidence {
  const BuildTree& tree;
  std::vector<std::string> stable; // names without lines
  std::vector<bool> owned; // lambdas, loops and constructs: they lie in a function
  std::vector<int> owner; // by region: the function that it lies in; -1: not known
  std::vector<int> last_line; // by region: of what it owns; 0: not known
  std::vector<int> first; // by region: its first path; paths stand in the order in which a rank came to them
  std::vector<int> depth; // of what is owned: in how many others that lie in the same function
  std::vector<std::set<int>> callers, callees; // what is owned is passed through
  std::vector<std::map<int, double>> rates; // by region: calls for each visit of a caller
  std::vector<std::map<int, double>> calls; // the same by caller: of each region that it calls directly
  std::vector<int> partner; // by region; -1: none yet
  std::vector<int> before, after; // functions: the nearest matched ones in the file, by line; -1: none
  std::vector<std::pair<int, int>> among; // functions: which of how many between these two
};

RegionEvidence evidence_of(const BuildTree& tree);

/// Where functions stand in their files, seen from those that are matched: fills in before, after and among.
void find_places(RegionEvidence& side);

/// The name of a region that is owned, behind its function's.
std::string name_in_owner(const RegionEvidence& side, int region);

/// What is owned and has no partner, by the matched function that it lies in, its kind and name there, in the order in
/// which a rank comes to it. What lies in a function without a partner is where this is called: in its only matched
/// caller of the same file.
using OwnedRegions = std::map<std::pair<int, std::string>, Regions>;
OwnedRegions owned_in_order(const RegionEvidence& side);

inline bool is_function(const Region& region) { return region.kind == "function"; }

/// Called by a name of its own, rather than by the place where it is.
bool has_own_name(const Region& region);

} // namespace andes::postproc
