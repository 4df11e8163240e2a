// Sorted, and a file named twice counts once: the same input gives the same output (invariant 6).
#include "postproc/model/run_files.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "common/refusal.h"

namespace andes::postproc {

namespace fs = std::filesystem;

std::vector<std::string> run_files(const std::vector<std::string>& arguments) {
  std::vector<std::string> found;
  for (const std::string& argument : arguments) {
    std::error_code error;
    const fs::file_status status = fs::status(argument, error);
    if (!fs::exists(status))
      refuse(argument, "no such file or directory", "name run files or directories of run files");
    if (!fs::is_directory(status)) {
      found.push_back(argument);
      continue;
    }
    fs::recursive_directory_iterator walk(argument, error);
    for (; !error && walk != fs::recursive_directory_iterator(); walk.increment(error))
      if (walk->path().extension() == ".andes" && !walk->is_directory(error))
        found.push_back(walk->path().lexically_normal().string());
    if (error) refuse(argument, error.message(), "make the directory readable");
  }
  std::sort(found.begin(), found.end());
  std::set<fs::path> seen;
  std::erase_if(found, [&seen](const std::string& file) {
    std::error_code error;
    const fs::path canonical = fs::canonical(file, error);
    return !error && !seen.insert(canonical).second;
  });
  return found;
}

std::vector<std::string> given_run_files(const std::vector<std::string>& arguments) {
  std::vector<std::string> files = run_files(arguments);
  if (files.empty()) refuse(arguments.front(), "it contains no run files (*.andes)", "andes run writes them");
  return files;
}

} // namespace andes::postproc
