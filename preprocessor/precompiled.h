// Precompiled headers of GCC that lie apart from the header that they were made of, as Meson's do: `-include all.hpp`
// finds DIR/all.hpp.gch, and there is no DIR/all.hpp for Clang to read. GCC knows that header if it wrote a dependency
// file (-MD) when it precompiled it: with -fpch-deps it is among the dependencies.
#pragma once
#include <string>
#include <vector>

#include "preprocessor/command.h"

namespace andes::preprocessor {

/// The header for Clang to read in the place of the command's first -include; empty where Clang finds one by itself.
std::string header_of_precompiled(const CompilerCommand& command, const CompilerCommand::Input& input);

/// The same flags with `header` in the place of the value of the first -include.
std::vector<std::string> with_first_include(std::vector<std::string> flags, const std::string& header);

} // namespace andes::preprocessor
