#include "preprocessor/own_libraries.h"

#include <filesystem>

namespace andes::preprocessor {

std::string own_library(const std::string& name) {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  return (self.parent_path() / ANDES_TO_LIBRARIES / name).lexically_normal().string();
}

} // namespace andes::preprocessor
