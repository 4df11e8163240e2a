// What `andes diff` says first, in sentences and rows: text and Markdown lay them out.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "postproc/view/diff_view.h"

namespace andes::postproc {

/// At the size that is compared.
struct DiffSummary {
  double before_s = 0; // T of the older build
  std::string head; // the verdict on T: "Slower at 2 ranks: T 1.012 -> 1.104 s, +9.1 % [8.2, 9.9]."
  std::string of_sizes; // a footnote of their table; may be empty
  std::string terms; // what changed in total
  std::vector<PathChange> paths; // that changed: as many as there is room for
  std::size_t more_paths = 0; // that changed less
  std::string rest; // of the other call paths
  std::string identity; // how call paths of the one build were found in the other; empty: all are the same
};

/// Absent of runs that did not finish.
std::optional<DiffSummary> summary_of(const Diff& diff);

/// The terms of a call path, and why it computes more, as counters tell.
std::string what_changed(const PathChange& path);

/// "slower", "equal within 3 %", "cannot be told: about 5 more runs".
std::string verdict_text(const ChangeFigures& figures, double margin_percent);

} // namespace andes::postproc
