// Reading what a run file says about functions without a probe.
#pragma once
#include "postproc/model/database.h"
#include "postproc/model/profile.h"

namespace andes::postproc {

/// Fills Profile::left_out; the regions must be there. Files of before have none. Throws Refusal for what is damaged.
void read_left_out(const Database& db, Profile& profile);

} // namespace andes::postproc
