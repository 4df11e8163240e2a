// GrownCommand: the command line of a weak sweep, in which arguments grow with the ranks.
#pragma once
#include <string>

#include "postproc/model/profile.h"

namespace andes::postproc {

/// Program and arguments of the run at the smallest size; where that at the largest size differs, both: "solve 200..800
/// --steps=10". The command line of the largest alone where the arguments are not as many.
std::string grown_command_line(const Profile& smallest, const Profile& largest);

} // namespace andes::postproc
