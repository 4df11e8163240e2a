// What changed between two builds at a size: its terms, and its call paths (analysis/changes.h).
#pragma once
#include "postproc/analysis/changes.h"
#include "postproc/view/column.h"

namespace andes::postproc::columns {

/// `verdict`: as people read it, which takes the margin.
List<SizeChanges> size_changes(const std::function<std::string(const ChangeFigures&)>& verdict, bool grid,
                               const char* arrow);

List<TermChange> term_changes();

/// `what`: what of it changed, for people. `time_s`: T before.
List<PathChange> path_changes(double time_s, const std::function<std::string(const PathChange&)>& what);

List<Unlike> unlike_paths();

} // namespace andes::postproc::columns
