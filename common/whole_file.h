// Files that are written completely or not at all: outputs of commands with -o.
#pragma once
#include <string>

namespace andes {

/// Writes `text` beside `path` first, then renames it to `path`. A path that is not a regular file,
/// such as a pipe, /dev/null or a symbolic link, is never replaced but written to; a run file is left
/// alone. Returns the error; empty: none.
std::string write_whole(const std::string& path, const std::string& text);

} // namespace andes
