// Asking git.
#pragma once
#include <string>
#include <vector>

#include "postproc/inspect/command_output.h"

namespace andes::postproc {

/// `git WORDS` in `directory`, in English, without locks that only save git time.
CommandOutput git(const std::string& directory, std::vector<std::string> words);

} // namespace andes::postproc
