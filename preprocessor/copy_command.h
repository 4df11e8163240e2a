// The command that compiles copies: the user's, with the path of each source (and of headers that options include)
// replaced by that of its copy, and with prefix maps, so that debug information and __BASE_FILE__ name the source.
#pragma once
#include <string>
#include <vector>

#include "preprocessor/copy_set.h"

namespace andes::preprocessor {

/// Whether the compiler, which sees a file in the place of the terminal, has to be told to colour its messages.
bool wants_colour(const Compilation& compilation);

/// The words of the command for `copies`, which are written.
std::vector<std::string> command_for(const Compilation& compilation, const CopySet& copies);

} // namespace andes::preprocessor
