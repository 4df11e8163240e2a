// Paths are compared as they are written, made absolute: by links the user shows which files belong together.
#include "preprocessor/collect/own_headers.h"

#include <algorithm>
#include <filesystem>

namespace andes::preprocessor {
namespace {

using Path = std::filesystem::path;

Path normal(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::absolute(path, ignored).lexically_normal();
}

bool is_below(const Path& path, const char* directory) {
  const Path parent(directory);
  return std::ranges::mismatch(parent, path).in1 == parent.end();
}

/// Headers of the C and C++ libraries and of the compiler: never looked at.
bool is_of_language(const Path& path) {
  const std::string text = path.string();
  if (text.find("/c++/") != std::string::npos || text.find("/lib/gcc/") != std::string::npos ||
      text.find("/lib/clang/") != std::string::npos)
    return true;
  if (!is_below(path, "/usr/include")) return false;
  Path rest = path.lexically_relative("/usr/include");
  if (rest.begin()->string().find("-linux-") != std::string::npos) rest = rest.lexically_relative(*rest.begin());
  const std::string first = rest.begin()->string();
  return rest == first || first == "bits" || first == "sys" || first == "gnu" || first == "asm" ||
         first == "asm-generic" || first == "linux";
}

/// Whether a header belongs to the project of the source. The common begin of both paths does not
/// count: a project may itself lie in /opt or in a directory called external.
bool is_of_project(const Path& header, const Path& source, const std::vector<std::string>& third_party) {
  for (const char* directory : {"/usr", "/opt"})
    if (is_below(header, directory) && !is_below(source, directory)) return false;
  auto at = std::ranges::mismatch(header, source).in1;
  for (; at != header.end(); ++at)
    if (std::next(at) != header.end() && std::ranges::find(third_party, at->string()) != third_party.end())
      return false;
  return true;
}

} // namespace

bool is_looked_at(const std::string& header, bool system, const std::string& source, Options::Headers headers,
                  const std::vector<std::string>& third_party) {
  switch (headers) {
  case Options::Headers::none: return false;
  case Options::Headers::own: return !system && is_of_project(normal(header), normal(source), third_party);
  case Options::Headers::all: return !is_of_language(normal(header));
  }
  return false;
}

bool is_usual_place(const std::string& directory, const std::vector<std::string>& third_party) {
  const Path path = normal(directory);
  return !is_below(path, "/usr") && !is_below(path, "/opt") && std::ranges::none_of(path, [&](const Path& part) {
    return std::ranges::find(third_party, part.string()) != third_party.end();
  });
}

} // namespace andes::preprocessor
