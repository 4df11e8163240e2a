// What run a text is about, and what is wrong with it: the first lines of show and diagnose.
#pragma once
#include <string>

#include "postproc/model/profile.h"
#include "postproc/view/terminal.h"

namespace andes::postproc {

std::string run_head(const Terminal& terminal, const Profile& profile);

} // namespace andes::postproc
