// Models in the text of a report, step 2.
#pragma once
#include <string>

#include "postproc/analysis/models.h"
#include "postproc/view/terminal.h"

namespace andes::postproc {

/// What is known of other sizes, in tables and lines; empty for a single size.
std::string models_text(const Terminal& terminal, const Models& models);

/// "Measure at 64 ranks next: ..."; empty: no size nearby decides anything.
std::string next_size_text(const Models& models);

} // namespace andes::postproc
