// Words for a shell, in lines that people copy and scripts evaluate.
#pragma once
#include <string>

namespace andes::postproc {

/// `text` as one word of a POSIX shell.
std::string shell_quoted(const std::string& text);

} // namespace andes::postproc
