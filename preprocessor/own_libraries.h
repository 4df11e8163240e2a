// Libraries of andes that this program opens when it needs them, found from where it stands.
#pragma once
#include <string>

namespace andes::preprocessor {

/// The path of lib/andes/`name` of this installation, whether it exists or not.
std::string own_library(const std::string& name);

/// What needs libdw.
inline constexpr const char* debug_info_library = "andes_debug_info.so";

/// The function `symbol` of that library; refuses where there is none.
void* debug_info_function(const char* symbol);

} // namespace andes::preprocessor
