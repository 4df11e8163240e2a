// Precompiled headers of GCC that lie apart from the header that they were made of, as those of Meson and qmake do:
// `-include all` finds DIR/all.gch, and there is no DIR/all for Clang to read. GCC knows that header if it wrote a
// dependency file (-MD) when it precompiled it: with -fpch-deps its dependencies follow. So andes lets it write one.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "common/private_directory.h"
#include "preprocessor/command.h"

namespace andes::preprocessor {

/// `as_written`, with a dependency file in `place` if it precompiles a header without one.
std::vector<std::string> with_dependencies(const CompilerCommand& command, std::vector<std::string> as_written,
                                           std::optional<PrivateDirectory>& place);

/// The header for Clang to read in the place of the command's first -include; empty where Clang finds one by itself.
std::string header_of_precompiled(const CompilerCommand& command, const CompilerCommand::Input& input);

/// The same flags with `header` in the place of the value of the first -include.
std::vector<std::string> with_first_include(std::vector<std::string> flags, const std::string& header);

} // namespace andes::preprocessor
