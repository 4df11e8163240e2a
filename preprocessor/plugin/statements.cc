// probe.h is in the form of this plug-in's own compilation until its macros are defined anew, below.
#include "preprocessor/plugin/statements.h"

#include <cctype>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "monitor/interface/probe.h"

#undef ANDES_HERE
#undef ANDES_FIND_HERE

namespace andes::preprocessor::plugin {
namespace {

/// `text` with the names of operands, %[NAME] or %k[NAME], replaced by their numbers.
std::string resolved(std::string_view text, const std::vector<std::string_view>& operands) {
  std::string out;
  while (!text.empty()) {
    const std::size_t percent = std::min(text.find('%'), text.size());
    out += text.substr(0, percent);
    text.remove_prefix(percent);
    const std::size_t open = text.size() > 1 && text[1] == '[' ? 1 : 2;
    if (text.size() <= open || text[open] != '[' || (open == 2 && !std::isalpha(static_cast<unsigned char>(text[1])))) {
      const std::size_t length = std::min<std::size_t>(text.size(), 2); // %% stays, it is for the compiler
      out += text.substr(0, length);
      text.remove_prefix(length);
      continue;
    }
    const char letter = open == 2 ? text[1] : 0;
    const std::size_t close = text.find(']');
    const std::string_view name = text.substr(open + 1, close - open - 1);
    text.remove_prefix(close + 1);
    bool found = false;
    for (std::size_t i = 0; i < operands.size(); ++i)
      if (operands[i] == name) {
        out += '%';
        if (letter) out += letter;
        out += std::to_string(i);
        found = true;
      }
    if (!found) std::abort(); // a name of probe.h that is not listed here; the tests of the plug-in find it
  }
  return out;
}

#define ANDES_FIND_HERE "mov andes_here@gottpoff(%%rip), %[here]\n\t"
#define ANDES_HERE(member) "%%fs:" ANDES_TO(view_##member) "(%[here])"
constexpr char enter_by_offset[] = ANDES_ENTER_TEXT, leave_by_offset[] = ANDES_LEAVE_TEXT;
#undef ANDES_FIND_HERE
#undef ANDES_HERE
#define ANDES_FIND_HERE ""
#define ANDES_HERE(member) "%[here_" #member "]"
constexpr char enter_by_operand[] = ANDES_ENTER_TEXT, leave_by_operand[] = ANDES_LEAVE_TEXT;

} // namespace

std::string enter_text(Here here) {
  return here == Here::operand
             ? resolved(enter_by_operand, {"frame", "here", "region", "caller_", "here_regions", "here_location"})
             : resolved(enter_by_offset, {"frame", "here", "region", "caller_"});
}

std::string leave_text(Here here) {
  return here == Here::operand ? resolved(leave_by_operand, {"here", "frame", "here_location"})
                               : resolved(leave_by_offset, {"here", "frame"});
}

} // namespace andes::preprocessor::plugin
