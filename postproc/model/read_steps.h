// Steps of phases, and values that the program attached to its call paths (docs/interface.md), as the run file
// keeps them beside the call tree. Files of before have neither.
#pragma once
#include "postproc/model/database.h"
#include "postproc/model/profile.h"

namespace andes::postproc {

/// Fills Profile::steps, step_statistics and attached; `profile` must have its locations and call paths. Throws
/// Refusal for what is damaged.
void read_steps(const Database& db, Profile& profile);

} // namespace andes::postproc
