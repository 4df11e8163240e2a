#include "postproc/analysis/shared_names.h"

namespace andes::postproc {

SharedNames::SharedNames(std::vector<BuildTree> builds) {
  std::vector<std::vector<Names>> names;
  for (const BuildTree& build : builds) {
    std::vector<Names>& of_build = names.emplace_back();
    for (std::size_t p = 0; p < build.paths.size(); ++p) of_build.push_back(path_of(build, static_cast<int>(p)));
  }
  const SharedPaths shared = shared_paths(std::move(builds));
  for (std::size_t p = 0; p < shared.paths.size(); ++p) {
    paths_.push_back({path_of(shared, static_cast<int>(p)), shared.paths[p].was, shared.paths[p].guess});
    newest_.emplace(paths_.back().path, static_cast<int>(p));
  }
  for (std::size_t b = 0; b < names.size(); ++b) {
    std::map<Names, int>& of_build = of_.emplace_back();
    for (std::size_t p = 0; p < names[b].size(); ++p) of_build.emplace(std::move(names[b][p]), shared.of[b][p]);
  }
}

int SharedNames::number(std::size_t build, const Names& names) {
  if (const auto found = of_[build].find(names); found != of_[build].end()) return found->second;
  const auto [found, added] = newest_.try_emplace(names, static_cast<int>(paths_.size()));
  if (added) paths_.push_back({names, {}, {}});
  return found->second;
}

} // namespace andes::postproc
