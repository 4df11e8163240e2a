// Reads one source with Clang and lists the files that it enters and the functions that they define.
#pragma once
#include <string>
#include <vector>

#include "preprocessor/options.h"
#include "preprocessor/pipeline.h"

namespace andes::preprocessor {

/// How to read a source.
struct Reading {
  Options::Headers headers = Options::Headers::none;
  std::vector<std::string> third_party;
  bool bare_names = true; // the compiler calls a header beside foo.c "x.h" (GCC), not "./x.h"
  bool mangled = false;   // whether functions get their mangled names
};

/// A header that an option includes: -include, or -imacros.
struct Forced {
  unsigned file = 0; // by index in Source::files
  bool macros_only = false;
};

/// The files of a translation unit, or why there are none.
struct Entered {
  std::string error;       // Clang's first error, "FILE:LINE: text"; empty: all was read
  std::vector<File> files; // 0 is the source itself; then headers in the order of entering
  std::vector<Forced> forced;
  unsigned ups = 0;           // largest number of ".." in one include directive
  std::string headers_error; // why the headers could not be read although this was wanted
};

/// A source as read by Clang, with the headers that it enters: a translation unit. New members belong into its bases,
/// which pack.h takes apart.
struct Source : Regions, Entered {};

/// The library with Clang, and its only function. It is opened where a source of C or C++ is read: linked to the
/// program, Clang's relocations would take 18 ms of each command that needs none of it (links, questions, Fortran).
inline constexpr const char* reader_library = "andes_reader.so";
extern "C" void andes_collect(const std::vector<std::string>& arguments, const Reading& reading, Source& source);

/// Parses the file that `arguments` (a Clang command line, "clang" first) names last. Bodies of
/// functions outside the files that are looked at are skipped. Never throws, and survives a crash
/// of Clang.
Source collect(const std::vector<std::string>& arguments, const Reading& reading);

} // namespace andes::preprocessor
