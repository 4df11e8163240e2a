// What a build has come to, from its record (common/build_record.h), in one line.
#pragma once
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace andes::preprocessor {

struct BuildSummary {
  std::set<std::string> instrumented;      // sources: with probes or hooks in one of their compilations
  std::map<std::string, std::string> left; // sources without, and why
  std::set<std::string> programs;          // that were linked
  std::set<std::string> libraries;         // shared ones that were linked
  bool asked = false;                      // compilers were caught that only answered questions
};

/// Reads a record. `was_made` tells of what was to be linked whether it was.
BuildSummary read_record(std::string_view text, bool (*was_made)(const std::string& path));

/// "12 sources instrumented, 3 left as they are (2 no function needs a probe, 1 free-standing), 1 program linked (p)".
/// Shared libraries come last if there are any; where nothing else was linked, as of a module of Python, programs are
/// not spoken of.
std::string summary_line(const BuildSummary& summary);

} // namespace andes::preprocessor
