// Removes the traces of copies from a compiler's messages, or finds that this is not possible.
#pragma once
#include <map>
#include <string>

namespace andes::preprocessor {

/// `text` with each path in `names` replaced by its value; lines of -H about a path whose value is
/// empty are removed, and its advice about guards becomes the same as without copies.
std::string fix_messages(std::string text, const std::map<std::string, std::string>& names);

/// Whether the messages contain a warning that depends on the optimiser, since probes change such warnings, or on
/// whether GCC takes a file for a header, since it takes copies for that.
/// The option named in each warning shows this.
bool depend_on_optimiser(const std::string& messages);

/// Whether some of the messages come from behind GCC's passes over trees: from its work on registers and stack frames,
/// or from the assembler.
bool come_from_code_generation(const std::string& messages);

} // namespace andes::preprocessor
