// What `andes instrument --explain` prints: a row for each function, with the decision and its
// reason.
#pragma once
#include <string>
#include <vector>

#include "preprocessor/collect/collect.h"
#include "preprocessor/compiled.h"
#include "preprocessor/compiler.h"
#include "preprocessor/left_out.h"

namespace andes::preprocessor {

/// A row: a region, its line (with its file if that is not the source), and the decision.
struct Explanation {
  std::string name, place, decision;
};

/// "instrumented", or "left out: REASON".
std::string in_words(const Decision& decision);

/// "; about 31 % of sweep, 2 % of main", the two largest shares; empty without any.
std::string in_words(const std::vector<LeftOutShare>& shares, const std::vector<Function>& functions);

/// Functions that the real compiler defines in the source, and in headers that are looked at, and
/// that Clang did not report at that place; all functions if Clang cannot read the source.
std::vector<Explanation> unseen_functions(const Source& source, const std::string& path, const Compiled& compiled,
                                          const Compiler& compiler, const Options& options);

/// The place of a line of `file` in a table about the source at `path`.
std::string place_of(const std::string& file, unsigned line, const std::string& path);

std::string table_of(const std::vector<Explanation>& rows);

} // namespace andes::preprocessor
