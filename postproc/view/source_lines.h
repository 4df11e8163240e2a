// Lines of the program's sources for a page, around the places that its documents name. A run file is not trusted: only
// regular files with the suffix of a language that andes instruments are read, and of those only some lines.
#pragma once
#include "postproc/view/json.h"

namespace andes::postproc {

/// {file: [{"line", "text", "end"}]}, by file as the runs name it; `end`: the last line of the function that begins in
/// this line, where it is known and no more than a screen away. Files that are not there are left out.
Json source_lines(const std::vector<const Profile*>& runs);

} // namespace andes::postproc
