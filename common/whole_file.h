// Files that are written whole or not at all: what a command puts where -o says.
#pragma once
#include <string>

namespace andes {

/// Writes `text` beside `path` first, then renames it to `path`. What is no regular file itself, a
/// pipe, /dev/null or a symbolic link, is never replaced but written to. Returns what went wrong;
/// empty: nothing.
std::string write_whole(const std::string& path, const std::string& text);

} // namespace andes
