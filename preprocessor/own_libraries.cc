#include "preprocessor/own_libraries.h"

#include <dlfcn.h>

#include <filesystem>

#include "common/message.h"

namespace andes::preprocessor {

std::string own_library(const std::string& name) {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  return (self.parent_path() / ANDES_TO_LIBRARIES / name).lexically_normal().string();
}

void* debug_info_function(const char* symbol) {
  const std::string path = own_library(debug_info_library);
  void* const library = dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
  void* const function = library ? dlsym(library, symbol) : nullptr;
  if (!function) {
    const char* const reason = dlerror();
    refuse(path, reason ? reason : "does not load", "build or install all of andes");
  }
  return function;
}

} // namespace andes::preprocessor
