// Prefixes are read from the left, without blanks: no word that
// can stand before FUNCTION or SUBROUTINE is the beginning of another one.
#include "preprocessor/plugin/purity.h"

#include <algorithm>
#include <cctype>
#include <cstddef>

#include "preprocessor/plugin/source_text.h"

namespace andes::preprocessor::plugin {
namespace {

bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

/// What stands in parentheses or behind a star after the name of a type.
void take_kind(std::string_view& text) {
  if (take(text, "*"))
    while (!text.empty() && std::isdigit(static_cast<unsigned char>(text[0]))) text.remove_prefix(1);
  if (text.empty() || text[0] != '(') return;
  int depth = 0;
  while (!text.empty()) {
    depth += text[0] == '(' ? 1 : text[0] == ')' ? -1 : 0;
    text.remove_prefix(1);
    if (depth == 0) return;
  }
}

struct Head {
  bool is_procedure = false, pure = false, module_body = false;
  std::string_view name;
};

Head head_of(std::string_view text) {
  Head head;
  const auto name = [&] {
    std::size_t length = 0;
    while (length < text.size() && (std::isalnum(static_cast<unsigned char>(text[length])) || text[length] == '_'))
      ++length;
    return text.substr(0, length);
  };
  for (;;) {
    if (take(text, "pure") || take(text, "elemental")) head.pure = true;
    else if (take(text, "impure") || take(text, "recursive") || take(text, "non_recursive")) continue;
    else if (take(text, "moduleprocedure")) {
      head.module_body = true;
      break;
    } else if (take(text, "module")) continue;
    else if (take(text, "function") || take(text, "subroutine")) {
      head.is_procedure = true;
      break;
    } else if (take(text, "integer") || take(text, "real") || take(text, "complex") || take(text, "logical") ||
               take(text, "character") || take(text, "doubleprecision") || take(text, "doublecomplex") ||
               take(text, "type") || take(text, "class") || take(text, "byte"))
      take_kind(text);
    else break;
  }
  head.name = name();
  return head;
}

/// The statement of `text`, which may be several, that begins the procedure.
Head head_of(const std::string& text, const std::string& procedure) {
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find(';'), rest.size());
    const Head head = head_of(rest.substr(0, end));
    if ((head.is_procedure || head.module_body) && head.name == procedure) return head;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return {};
}

} // namespace

bool is_declared_pure(const std::vector<std::string>& lines, unsigned line, const std::string& procedure) {
  const Head head = head_of(statement_at(lines, line), procedure);
  if (!head.module_body) return head.pure;
  for (unsigned other = 1; other <= lines.size(); ++other) {
    if (squeezed(lines[other - 1]).find(procedure) == std::string::npos) continue;
    const std::string statement = statement_at(lines, other);
    const Head declared = head_of(statement, procedure);
    if (declared.is_procedure && declared.pure) return true;
  }
  return false;
}

} // namespace andes::preprocessor::plugin
