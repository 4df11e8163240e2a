// Why the ranks of a run hung, from its fact `hang` (docs/json.md, "Hangs").
#pragma once
#include "monitor/interface/hang.h"
#include "postproc/model/profile.h"

namespace andes::postproc {

/// Empty: no rank waited for long when the run was made. A damaged fact counts as none.
Hang hang_of(const Profile& profile);

} // namespace andes::postproc
