// Phases and attached values in the views of `andes show`.
#pragma once
#include <string>

#include "postproc/analysis/phases.h"
#include "postproc/view/json.h"
#include "postproc/view/terminal.h"

namespace andes::postproc {

/// A line for each phase and, where steps are apart (with_steps_apart), one for each step. Empty without phases.
std::string phases_text(const Terminal& terminal, const Profile& profile);
/// A line for each value of a call path. Empty without any.
std::string values_text(const Terminal& terminal, const Profile& profile);

/// Sets `phases` and `values` where there are any (docs/json.md).
void set_phases(Json& json, const Profile& profile);

} // namespace andes::postproc
