// Unicode 15, table 3-7 (well-formed UTF-8) and those of the categories Cc and Cf to which terminals react.
#include "common/printable.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>

namespace andes {
namespace {

/// Length in bytes of the character that `text` begins with, and its code point; 0 if it is not
/// UTF-8 (overlong forms and surrogates are invalid).
std::size_t read_character(std::string_view text, std::uint32_t& code) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const unsigned char first = byte(0);
  const std::size_t bytes = first < 0x80   ? 1
                            : first < 0xC2 ? 0
                            : first < 0xE0 ? 2
                            : first < 0xF0 ? 3
                            : first < 0xF5 ? 4
                                           : 0;
  if (bytes == 0 || text.size() < bytes) return 0;
  code = bytes == 1 ? first : first & (0x7Fu >> bytes);
  for (std::size_t at = 1; at < bytes; ++at) {
    if ((byte(at) & 0xC0) != 0x80) return 0;
    code = code << 6 | (byte(at) & 0x3Fu);
  }
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  return code < least[bytes] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000) ? 0 : bytes;
}

/// Whether a terminal would not simply show the character: controls, line separators, characters of
/// no width, marks of writing direction.
bool is_control(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0xAD || code == 0x61C ||
         (code >= 0x200B && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2060 && code <= 0x206F) || code == 0xFEFF || (code >= 0xFFF9 && code <= 0xFFFB) ||
         (code >= 0xE0000 && code < 0xE0080);
}

} // namespace

std::string printable(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    std::uint32_t code = 0;
    const std::size_t bytes = read_character(text, code);
    if (bytes == 0) shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    else if (is_control(code)) shown += code < 0x80 ? fmt::format("\\x{:02x}", code) : fmt::format("\\u{:04x}", code);
    else shown += text.substr(0, bytes);
    text.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  return shown;
}

} // namespace andes
