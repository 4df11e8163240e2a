#include "common/private_directory.h"

#include <cstdlib>
#include <filesystem>
#include <functional>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace andes {

PrivateDirectory::PrivateDirectory(const std::string& purpose) {
  const char* variable = std::getenv("TMPDIR");
  const std::string start = std::string(variable && variable[0] == '/' ? variable : "/tmp") + "/andes-";
  const std::string same =
      fmt::format("{}{:016x}", start, std::hash<std::string>{}(fmt::format("{} {}", getuid(), purpose)));
  std::string pattern = start + "XXXXXX";
  if (!purpose.empty() && mkdir(same.c_str(), 0700) == 0) // an existing entry of that name is not touched
    path_ = same;
  else if (mkdtemp(pattern.data())) path_ = pattern;
}

PrivateDirectory::~PrivateDirectory() {
  std::error_code ignored; // files that cannot be removed stay in the temporary directory
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

} // namespace andes
