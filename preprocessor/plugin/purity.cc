// Blanks are taken out, since they mean nothing in fixed form, and prefixes are then read from the left: no word that
// can stand before FUNCTION or SUBROUTINE is the beginning of another one.
#include "preprocessor/plugin/purity.h"

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace andes::preprocessor::plugin {
namespace {

/// Without comment, blanks and capitals.
std::string squeezed(const std::string& line) {
  std::string out;
  char quote = 0;
  for (const char c : line) {
    if (quote ? c == quote : c == '\'' || c == '"') quote = quote ? '\0' : c;
    if (c == '!' && !quote) break;
    if (!std::isspace(static_cast<unsigned char>(c))) out += char(std::tolower(static_cast<unsigned char>(c)));
  }
  return out;
}

bool is_comment(const std::string& line) {
  return squeezed(line).empty() || line[0] == 'c' || line[0] == 'C' || line[0] == '*' || line[0] == '#';
}

/// Whether the line goes on with the statement before it: in fixed form by a character in column 6, in free form since
/// the line before ends with an ampersand.
bool continues(const std::string& before, const std::string& line) {
  const std::string text = squeezed(before);
  if (!text.empty() && text.back() == '&') return true;
  return line.size() > 5 && line.find_first_not_of(' ') == 5 && line[5] != '0' &&
         !std::isalpha(static_cast<unsigned char>(line[5]));
}

/// The statements on line `number` with those of lines before that it goes on with, squeezed.
std::string statement_at(const std::vector<std::string>& lines, unsigned number) {
  if (number == 0 || number > lines.size()) return "";
  std::string text = squeezed(lines[number - 1]);
  for (std::size_t at = number - 1; at > 0;) {
    std::size_t before = at - 1;
    while (before > 0 && is_comment(lines[before])) --before;
    if (is_comment(lines[before]) || !continues(lines[before], lines[at])) break;
    std::string more = squeezed(lines[before]);
    if (!more.empty() && more.back() == '&') more.pop_back();
    if (!text.empty() && (text[0] == '&' || lines[at].find_first_not_of(' ') == 5)) text.erase(0, 1);
    text = more + text;
    at = before;
  }
  return text;
}

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
