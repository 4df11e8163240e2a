// Removes the traces of copies from what a compiler said, or finds that it cannot be done.
#pragma once
#include <map>
#include <string>

namespace andes {

/// `text` with each path in `names` replaced by its value; lines of -H about a path whose value is
/// empty go, and its advice about guards is what it is without copies.
std::string fix_messages(std::string text, const std::map<std::string, std::string>& names);

/// Whether among messages is a warning of what the optimiser made of the code: probes make others of it. The
/// option that each warning names says so.
bool depend_on_optimiser(const std::string& messages);

} // namespace andes
