#include "postproc/analysis/build_tree.h"

#include <algorithm>

#include "monitor/interface/run_file.h"

namespace andes::postproc {
namespace {

/// Regions of a profile as those of the tree, which gets the new ones.
std::vector<int> regions_in(BuildTree& tree, const Profile& profile) {
  std::vector<int> numbers;
  std::map<std::tuple<std::string, std::string, std::string, int>, int> seen;
  for (const Region& region : profile.regions) {
    const int order = seen[{region.kind, region.name, region.file, region.line}]++;
    const auto [at, added] = tree.known_regions.try_emplace({region.kind, region.name, region.file, region.line, order},
                                                            static_cast<int>(tree.regions.size()));
    if (added) tree.regions.push_back(region);
    numbers.push_back(at->second);
  }
  return numbers;
}

} // namespace

std::vector<int> add_run(BuildTree& tree, const Profile& profile) {
  const std::vector<int> regions = regions_in(tree, profile);
  std::vector<int> numbers;
  std::map<std::pair<int, int>, int> seen;
  for (std::size_t i = 0; i < profile.callpaths.size(); ++i) {
    const CallPath& path = profile.callpaths[i];
    const int parent = path.parent < 0 ? -1 : numbers[static_cast<std::size_t>(path.parent)];
    const int region = regions[static_cast<std::size_t>(path.region)];
    const int order = seen[{parent, region}]++;
    const auto [at, added] = tree.known_paths.try_emplace({parent, region, order}, static_cast<int>(tree.paths.size()));
    if (added) {
      tree.paths.push_back({parent, region});
      tree.visits.push_back(profile.statistics.empty() ? 0 : profile.statistic(i, run_file::visits).sum);
    }
    numbers.push_back(at->second);
  }
  return numbers;
}

std::vector<std::string> path_of(const BuildTree& tree, int path) {
  std::vector<std::string> names;
  for (int at = path; at >= 0; at = tree.paths[static_cast<std::size_t>(at)].parent) {
    if (tree.paths[static_cast<std::size_t>(at)].parent < 0 && !names.empty()) break;
    names.push_back(tree.region_of(static_cast<std::size_t>(at)).name);
  }
  std::reverse(names.begin(), names.end());
  return names;
}

} // namespace andes::postproc
