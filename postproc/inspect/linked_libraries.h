// Linked libraries: which files the dynamic loader takes for what a program is linked with. The loader itself is asked,
// as ldd does it: it alone knows its cache, its directories and its versions. Only the loader that andes runs with is
// started, never the one that a program names, and nothing of the program runs.
#pragma once
#include <string>
#include <vector>

namespace andes::postproc {

struct LinkedLibrary {
  std::string soname, path;
};

struct LinkedLibraries {
  bool known = false; // the loader was asked
  std::vector<LinkedLibrary> found; // all that would be loaded
  std::vector<std::string> missing; // sonames
  std::vector<std::string> missing_versions; // such as GLIBC_2.38: a library is there, but too old
};

/// Of the program or library at `path`.
LinkedLibraries linked_libraries(const std::string& path);

/// What the loader prints, taken apart.
LinkedLibraries read_library_list(const std::string& text);

} // namespace andes::postproc
