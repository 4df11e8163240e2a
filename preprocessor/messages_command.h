// The command that says what the user's own command would say, and makes nothing: it ends behind the passes of GCC that
// warn (`-dx`), which are less than half of a compilation at -O2.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "preprocessor/compilation.h"

namespace andes::preprocessor {

/// Its words; it writes into the file `out`, which nobody needs. `of_copies`: what the compiler said of the copies.
/// Nothing if only the command itself says all: of passes behind those, of what it prints of its own work, or of the
/// assembler; or if it makes more than one object and its dependency file.
std::optional<std::vector<std::string>> messages_command(const Compilation& compilation, const std::string& of_copies,
                                                         const std::string& out);

} // namespace andes::preprocessor
