// The phases of a program and their steps: `phases` in JSON. People see a line for each phase and, where steps are
// apart, a table of steps for each.
#pragma once
#include "postproc/analysis/phases.h"
#include "postproc/view/column.h"

namespace andes::postproc::columns {

/// Of the profile, which must outlive the list.
List<Phase> phases(const Profile& profile);

/// Of the steps of a phase, which is called `phase`. With one rank people see no least, no largest and no rank.
List<PhaseStep> steps(const Profile& profile, const std::string& phase);

} // namespace andes::postproc::columns
