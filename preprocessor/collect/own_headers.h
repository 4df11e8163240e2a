// Which headers are the program's own, and which are a library's. Told by paths alone, so
// that what Clang reads and what the real compiler says (--explain) are judged alike: system headers, /usr, /opt (mpicc
// names /usr/lib/.../include by -I) and directories such as third_party are a library's. What a path has in common with
// the source's says nothing: a project may itself lie in /opt or below external/. The root of the version control was
// rejected: a single command does not know it, and vendored code lies inside.
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
