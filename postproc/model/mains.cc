#include "postproc/model/mains.h"

#include <algorithm>
#include <set>
#include <string>

namespace andes::postproc {
namespace {

/// The last `parts` parts of a path.
std::string end_of_path(const std::string& path, std::size_t parts) {
  std::size_t at = path.size();
  for (; parts > 0 && at != std::string::npos && at > 0; --parts) at = path.rfind('/', at - 1);
  return at == std::string::npos || at == 0 ? path : path.substr(at + 1);
}

} // namespace

void tell_mains_apart(std::vector<Region>& regions) {
  std::vector<Region*> mains;
  std::set<std::string> files;
  std::ptrdiff_t deepest = 0;
  for (Region& region : regions) {
    if (region.name != "main" || region.kind != "function" || region.file.empty()) continue;
    mains.push_back(&region);
    files.insert(region.file);
    deepest = std::max(deepest, std::count(region.file.begin(), region.file.end(), '/'));
  }
  if (files.size() < 2) return;
  std::size_t parts = 1;
  const auto are_apart = [&] {
    std::set<std::string> ends;
    for (const std::string& file : files) ends.insert(end_of_path(file, parts));
    return ends.size() == files.size();
  };
  while (!are_apart() && parts <= static_cast<std::size_t>(deepest)) ++parts;
  for (Region* region : mains) region->name += " (" + end_of_path(region->file, parts) + ")";
}

} // namespace andes::postproc
