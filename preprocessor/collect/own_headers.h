// Which headers are the program's own, and which are a library's. Decided by paths alone, so that the results of Clang
// and of the real compiler (--explain) are judged by the same rule: system headers, /usr, /opt (mpicc passes
// /usr/lib/.../include by -I) and directories such as third_party belong to libraries. The common part of the header's
// and the source's paths does not count: a project may itself lie in /opt or below external/. Rejected: the root of the
// version control, which a single command does not know, and which contains vendored code.
#pragma once
#include <string>
#include <vector>

#include "preprocessor/options.h"

namespace andes::preprocessor {

/// Whether functions of `header` are looked at in a translation unit of `source`. `system`: the
/// compiler takes it for a system header. `third_party`: as in Options.
bool is_looked_at(const std::string& header, bool system, const std::string& source, Options::Headers headers,
                  const std::vector<std::string>& third_party);

/// Whether for sources of that directory the same headers are looked at as for those of any other such directory.
bool is_usual_place(const std::string& directory, const std::vector<std::string>& third_party);

} // namespace andes::preprocessor
