// What `andes diff` says: first a screen of what changed in total, the verdict and the call paths, then, if asked, step
// 4 of the report.
#pragma once
#include <string>

#include "postproc/analysis/changes.h"
#include "postproc/analysis/comparison.h"
#include "postproc/analysis/promises.h"
#include "postproc/view/json.h"
#include "postproc/view/terminal.h"

namespace andes::postproc {

struct Diff {
  Comparison comparison;
  Changes changes;
  bool full = false;
  Promises promises = {};
};

std::string diff_text(const Terminal& terminal, const Diff& diff);
std::string diff_json(const Diff& diff);

std::string promises_text(const Terminal& terminal, const Promises& promises);
Json promises_json(const Promises& promises, bool grid);

/// "slower", "equal within 3 %", "cannot be told: 5 more runs of each would".
std::string verdict_text(const ChangeFigures& figures, double margin_percent);

} // namespace andes::postproc
