#include "preprocessor/object_note.h"

#include <fmt/core.h>

namespace andes::preprocessor {
namespace {

/// `text` as the inside of a string of the assembler.
std::string assembler_escaped(const std::string& text) {
  std::string out;
  for (const char c : text)
    if (c == '"' || c == '\\' || static_cast<unsigned char>(c) < 32)
      out += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    else out += c;
  return out;
}

} // namespace

std::string object_note(const char* section, const std::string& text) {
  return fmt::format(".pushsection {},\"MS\",%progbits,1\n.asciz \"{}\"\n.popsection\n", section,
                     assembler_escaped(text));
}

} // namespace andes::preprocessor
