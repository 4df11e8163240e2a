// What run a text is about, and what is wrong with it: the first lines of show and diagnose.
#pragma once
#include <string>

#include "postproc/model/profile.h"
#include "postproc/view/terminal.h"

namespace andes::postproc {

/// `shows_times`: times stand below, so that it matters whether ranks took turns on the cores.
std::string run_head(const Terminal& terminal, const Profile& profile, bool shows_times = true);

} // namespace andes::postproc
