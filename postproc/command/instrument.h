// andes instrument and andes build: hand their arguments, untouched, to the preprocessor.
#pragma once
#include <string>
#include <vector>

namespace andes::postproc {

/// Becomes "andes-preprocess COMMAND ARGUMENTS". Throws Refusal if there is no preprocessor.
[[noreturn]] void become_preprocessor(const std::string& command, const std::vector<std::string>& arguments);

} // namespace andes::postproc
