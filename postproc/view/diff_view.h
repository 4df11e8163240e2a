// What `andes diff` says: first a screen of what changed in total, the verdict and the call paths, then, if asked, step
// 4 of the report.
#pragma once
#include <string>
#include <vector>

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

/// Changes that were asked for, or that were made; without any, those of which the runs do not tell (single runs: all).
/// Of the others how many, in words.
struct ShownPromises {
  std::vector<Promise> rows;
  std::string more; // "not realised: 2 more of its what-if; cannot be told with these runs: 1 more"; may be empty
};
ShownPromises shown_promises(const Promises& promises);

std::string promises_text(const Terminal& terminal, const Promises& promises);
Json promises_json(const Promises& promises, bool grid);

} // namespace andes::postproc
