// The part of this program that reads with Clang (lib/andes/andes_reader.so, made of preprocessor/collect), opened when
// the first source of C or C++ is read: many commands of a build need no reading. These are links, sources of Fortran,
// assembler, the questions of configure, and sources that the selection leaves out. What a compiler cache is told of
// andes (cache_key.h) covers the library too.
//
// In a build a server (reading_server.h) is asked before.
#include <dlfcn.h>

#include <fmt/core.h>

#include "preprocessor/collect/collect.h"
#include "preprocessor/own_libraries.h"
#include "preprocessor/reading_server.h"
#include "preprocessor/session.h"

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
  Source source;
  // What it does not answer (a source that Clang cannot read), it would not answer either when asked in another way.
  static bool served = true;
  served = served && read_by_server(session_reader(), arguments, reading, source);
  if (served) return source;
  static std::string error;
  static const Collect reader = open_reader(error);
  if (reader) reader(arguments, reading, source);
  else source.error = error;
  return source;
}

} // namespace andes::preprocessor
