// Left-overs of a run for people, a line each: how many, of which ranks, with which tag, where.
#pragma once
#include <string>

#include "postproc/model/profile.h"
#include "postproc/view/terminal.h"

namespace andes::postproc {

/// Empty: nothing is left over.
std::string left_overs_text(const Terminal& terminal, const Profile& profile);

} // namespace andes::postproc
