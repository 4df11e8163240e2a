// Call paths of several builds that are known by their names alone, as those of core times (core_time.h) and histories
// are: which of them are one, identity.h says.
//
// Invariant: what no tree has is one call path in all builds, by its names.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "postproc/analysis/identity.h"

namespace andes::postproc {

/// A call path of one build or several.
struct SharedName {
  std::vector<std::string> path; // as the newest build that has it shows it
  std::vector<std::string> was; // its names in the first older build where they are others
  Match guess; // the first one on the way to older builds
};

class SharedNames {
public:
  using Names = std::vector<std::string>;

  /// Of builds, the oldest first, each with the call paths of its runs.
  explicit SharedNames(std::vector<BuildTree> builds);

  /// Number of the call path that has these names in a build.
  int number(std::size_t build, const Names& names);
  const SharedName& at(int number) const { return paths_[static_cast<std::size_t>(number)]; }

private:
  std::vector<SharedName> paths_;
  std::vector<std::map<Names, int>> of_; // by build
  std::map<Names, int> newest_; // by the names in `paths_`
};

} // namespace andes::postproc
