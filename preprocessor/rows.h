// What has been decided about a source, in words: a row for each function and block, with the decision and its reason.
#pragma once
#include <string>
#include <vector>

#include "preprocessor/left_out.h"
#include "preprocessor/pipeline.h"

namespace andes::preprocessor {

/// A row: a region, its line (with its file if that is not the source), and the decision.
struct Explanation {
  std::string name, place, decision;
};

/// "instrumented", or "left out: REASON".
std::string in_words(const Decision& decision);

/// "; about 31 % of sweep, 2 % of main", the two largest shares; empty without any.
std::string in_words(const std::vector<LeftOutShare>& shares, const std::vector<Function>& functions);

/// The place of a line of `file` in a table about the source at `path`.
std::string place_of(const std::string& file, unsigned line, const std::string& path);

/// A row for each function, followed by one for each of its blocks that is a candidate.
std::vector<Explanation> rows_of(const Regions& regions, const std::string& path, const Decisions& decisions);

} // namespace andes::preprocessor
