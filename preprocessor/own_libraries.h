// Libraries of andes that this program opens when it needs them, found from where it stands.
#pragma once
#include <string>

namespace andes::preprocessor {

/// The path of lib/andes/`name` of this installation, whether it exists or not.
std::string own_library(const std::string& name);

} // namespace andes::preprocessor
