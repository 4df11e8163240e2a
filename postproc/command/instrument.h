// andes instrument: hands its arguments, untouched, to the preprocessor.
#pragma once
#include <string>
#include <vector>

namespace andes::postproc {

/// Becomes "andes-preprocess instrument ARGUMENTS". Throws Refusal if there is no preprocessor.
[[noreturn]] void instrument(const std::vector<std::string>& arguments);

} // namespace andes::postproc
