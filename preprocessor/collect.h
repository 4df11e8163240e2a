// Reads one source file with Clang and says which functions it defines, and what of its #include
// directives matters to a copy of the file that stands in another directory.
#pragma once
#include <string>
#include <vector>

#include "preprocessor/pipeline.h"

namespace andes {

/// A file searched with #include "NAME" (or __has_include) and not found beside the file that asks.
struct Lookup {
  std::string name;
  std::string found; // path as found; empty if nowhere
  bool by_main_file = false;
};

/// A source as Clang sees it, with the headers that it enters: a translation unit.
struct Source {
  std::string error;       // Clang's first error, "FILE:LINE: text"; empty: all was read
  std::vector<File> files; // 0 is the source itself; then headers in the order of entering
  std::vector<Function> functions; // by file, and within a file in the order of its text
  std::vector<Lookup> lookups;
  std::vector<std::string> beside; // "./x.h": headers found beside a source without directory
  std::vector<std::string>
      includes; // NAME of each #include "NAME" of the main file found beside it
  bool includes_itself = false;
};

/// Parses the file that `arguments` (a Clang command line, "clang" first) names last. Bodies of
/// functions outside this file are skipped. Never throws, and survives a crash of Clang.
Source collect(const std::vector<std::string>& arguments);

} // namespace andes
