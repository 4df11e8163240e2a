// The part of this program that reads with Clang (lib/andes/andes_reader.so, made of preprocessor/collect), opened when
// the first source of C or C++ is read: many commands of a build need no reading. These are links, sources of Fortran,
// assembler, the questions of configure, and sources that the selection leaves out. What a compiler cache is told of
// andes (cache_key.h) covers the library too.
//
// Rejected: a second program that reads and hands its answer over, since its data would have to be written down and
// read again; a server that stays, since builds end, and containers must not keep processes.
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
