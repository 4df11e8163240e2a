// What a compilation of copies leaves behind names copies: here it gets the user's names, so that nobody can tell from
// messages or dependency files that there were any. Debug information is right by prefix maps (copy_command.h).
#pragma once
#include <string>

#include "preprocessor/copy_set.h"

namespace andes::preprocessor {

/// What the compiler said of `copies`, in the user's names.
std::string in_users_names(std::string text, const CopySet& copies);

/// Puts the user's names into the dependency files that the command wrote.
void fix_dependency_files(const Compilation& compilation, const CopySet& copies);

} // namespace andes::preprocessor
