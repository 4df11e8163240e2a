// Models in the text of a report, step 2.
#pragma once
#include <string>

#include "postproc/analysis/models.h"
#include "postproc/view/terminal.h"

namespace andes::postproc {

/// What is known of other sizes, in tables and lines; empty for a single size.
std::string models_text(const Terminal& terminal, const Models& models);

/// "T = 1.2 + 3 p seconds (the largest size, left out, ...)". `quantity`: what is modelled; `sizes`: over what, in the
/// singular.
std::string term_model_text(const Terminal& terminal, const TermModel& model, const std::string& quantity,
                            const std::string& sizes);

struct PathModelsWords {
  std::string title, of_ranks, of_constant, sizes; // `sizes` in the singular
  double last = 0, projected = 0;
};

/// A table of the call paths that grow, and how many do not.
std::string path_models_text(const Terminal& terminal, const std::vector<PathModel>& paths,
                             const PathModelsWords& words);

/// "Measure at 64 ranks next: ..."; empty: no size nearby decides anything.
std::string next_size_text(const Models& models);

} // namespace andes::postproc
