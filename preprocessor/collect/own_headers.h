// Which headers are the program's own, and which are a library's (decision 113). Told by paths alone, so
// that what Clang reads and what the real compiler says (--explain) are judged alike.
#pragma once
#include <string>
#include <vector>

#include "preprocessor/options.h"

namespace andes {

/// Whether functions of `header` are looked at in a translation unit of `source`. `system`: the
/// compiler takes it for a system header. `third_party`: as in Options.
bool is_looked_at(const std::string& header, bool system, const std::string& source,
                  Options::Headers headers, const std::vector<std::string>& third_party);

} // namespace andes
