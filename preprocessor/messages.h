// Removes the traces of copies from what a compiler said.
#pragma once
#include <map>
#include <string>

namespace andes {

/// `text` with each path in `names` replaced by its value; lines of -H about a path whose value is
/// empty go, and its advice about guards is what it is without copies.
std::string fix_messages(std::string text, const std::map<std::string, std::string>& names);

} // namespace andes
