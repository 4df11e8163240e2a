// The part of this program that reads with Clang, opened when the first source is read.
#include <dlfcn.h>

#include <fmt/core.h>

#include "preprocessor/collect/collect.h"
#include "preprocessor/own_libraries.h"

namespace andes::preprocessor {
namespace {

using Collect = decltype(&andes_collect);

/// Null, and the reason in `error`, if it cannot be opened.
Collect open_reader(std::string& error) {
  void* const library = dlopen(own_library(reader_library).c_str(), RTLD_LAZY | RTLD_LOCAL);
  void* const symbol = library ? dlsym(library, "andes_collect") : nullptr;
  if (!symbol) {
    const char* const reason = dlerror();
    error = fmt::format("andes' reader does not load: {}", reason ? reason : "unknown");
  }
  return reinterpret_cast<Collect>(symbol);
}

} // namespace

Source collect(const std::vector<std::string>& arguments, const Reading& reading) {
  static std::string error;
  static const Collect reader = open_reader(error);
  Source source;
  if (reader) reader(arguments, reading, source);
  else source.error = error;
  return source;
}

} // namespace andes::preprocessor
