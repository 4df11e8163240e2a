#include "preprocessor/plugin/source_text.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <map>

namespace andes::preprocessor::plugin {
namespace {

char lowered(char c) { return char(std::tolower(static_cast<unsigned char>(c))); }
bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)); }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }
bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

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

/// The statements on line `number` with what goes before.
Statement from_its_begin(const std::vector<std::string>& lines, unsigned number) {
  if (number == 0 || number > lines.size()) return {};
  Statement statement{squeezed(lines[number - 1]), number, number};
  std::string& text = statement.text;
  for (std::size_t at = number - 1; at > 0;) {
    std::size_t before = at - 1;
    while (before > 0 && is_comment(lines[before])) --before;
    if (is_comment(lines[before]) || !continues(lines[before], lines[at])) break;
    std::string more = squeezed(lines[before]);
    if (!more.empty() && more.back() == '&') more.pop_back();
    if (!text.empty() && (text[0] == '&' || lines[at].find_first_not_of(' ') == 5)) text.erase(0, 1);
    text = more + text;
    at = before;
    statement.first = unsigned(at + 1);
  }
  return statement;
}

DoForm form_of_one(std::string_view text) {
  const auto drop = [&](auto belongs) {
    std::size_t length = 0;
    while (length < text.size() && belongs(text[length])) ++length;
    text.remove_prefix(length);
    return length;
  };
  drop(is_digit); // its own label
  std::size_t name = 0;
  while (name < text.size() && is_of_name(text[name])) ++name;
  if (name > 0 && name + 1 < text.size() && text[name] == ':' && text[name + 1] != ':') text.remove_prefix(name + 1);
  if (!text.starts_with("do")) return DoForm::none;
  text.remove_prefix(2);
  if (drop(is_digit) > 0 && text.starts_with(",")) text.remove_prefix(1); // the label of its end
  if (text.empty() || text.starts_with("while(")) return DoForm::loop;
  if (text.starts_with("concurrent(")) return DoForm::concurrent;
  if (drop(is_of_name) == 0 || !text.starts_with("=")) return DoForm::none;
  int depth = 0;
  char quote = 0;
  for (const char c : text) {
    if (quote ? c == quote : c == '\'' || c == '"') quote = quote ? '\0' : c;
    if (quote) continue;
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    if (c == ',' && depth == 0) return DoForm::loop;
  }
  return DoForm::none;
}

/// What follows the sentinel of OpenMP, squeezed; nothing if the line is no directive.
std::string directive_text(const std::string& line) {
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string::npos || begin + 5 > line.size()) return "";
  std::string sentinel = line.substr(begin, 5);
  std::ranges::transform(sentinel, sentinel.begin(), lowered);
  if (sentinel != "!$omp" && !(begin == 0 && (sentinel == "c$omp" || sentinel == "*$omp"))) return "";
  return line.substr(begin + 5);
}

/// Whether a directive line goes on with the one before it.
bool goes_on(const std::string& before, const std::string& rest, const std::string& line) {
  const std::string text = squeezed(before);
  if (!text.empty() && text.back() == '&') return true;
  return !line.empty() && !is_blank(line[0]) && !rest.empty() && rest[0] != ' ' && rest[0] != '0' && rest[0] != '\t';
}

/// The words of a directive at the beginning of its squeezed text; a longer one before one that it begins with.
constexpr std::string_view words_of_directives[] = {
    "parallel", "taskgroup", "taskloop",     "taskwait",  "taskyield", "task",   "do",
    "sections", "section",   "single",       "workshare", "critical",  "master", "masked",
    "barrier",  "simd",      "atomic",       "flush",     "target",    "teams",  "distribute",
    "scope",    "loop",      "cancellation", "cancel",    "scan",      "unroll", "tile"};

std::string words_of(std::string_view text) {
  if (text.starts_with("end")) return "";
  if (text.starts_with("ordered")) return "ordered";
  std::string words;
  for (bool found = true; found;) {
    found = false;
    for (const std::string_view word : words_of_directives) {
      // A word comes once: simdlen is a clause.
      if (!text.starts_with(word) || words.ends_with(word)) continue;
      if (!words.empty()) words += ' ';
      words += word;
      text.remove_prefix(word.size());
      found = true;
      break;
    }
  }
  if (words == "critical" && text.starts_with("(")) words += " " + std::string(text.substr(0, text.find(')') + 1));
  return words;
}

} // namespace

const std::vector<std::string>& lines_of_file(const std::string& path) {
  static std::map<std::string, std::vector<std::string>> files;
  const auto [at, is_new] = files.try_emplace(path);
  if (is_new) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) at->second.push_back(line);
  }
  return at->second;
}

std::string squeezed(const std::string& line) {
  std::string out;
  char quote = 0;
  for (const char c : line) {
    if (quote ? c == quote : c == '\'' || c == '"') quote = quote ? '\0' : c;
    if (c == '!' && !quote) break;
    if (!is_blank(c)) out += lowered(c);
  }
  return out;
}

std::string statement_at(const std::vector<std::string>& lines, unsigned number) {
  return from_its_begin(lines, number).text;
}

Statement whole_statement_at(const std::vector<std::string>& lines, unsigned number) {
  while (number > 0 && number < lines.size() && !is_comment(lines[number]) &&
         continues(lines[number - 1], lines[number]))
    ++number;
  return from_its_begin(lines, number);
}

DoForm do_form(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(';'), text.size());
    if (const DoForm form = form_of_one(text.substr(0, end)); form != DoForm::none) return form;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return DoForm::none;
}

Directive directive_at(const std::vector<std::string>& lines, unsigned number) {
  if (number == 0 || number > lines.size()) return {};
  std::string rest = directive_text(lines[number - 1]), text;
  if (rest.empty()) return {};
  for (;;) {
    std::string squeezed_rest = squeezed(rest);
    if (!squeezed_rest.empty() && squeezed_rest.back() == '&') squeezed_rest.pop_back();
    if (!squeezed_rest.empty() && squeezed_rest.front() == '&') squeezed_rest.erase(0, 1);
    const std::string before = number > 1 ? directive_text(lines[number - 2]) : "";
    const bool more = !before.empty() && goes_on(before, rest, lines[number - 1]);
    if (more && squeezed(before).back() != '&') squeezed_rest.erase(0, 1); // the character in column 6
    text = squeezed_rest + text;
    if (!more) break;
    rest = before;
    --number;
  }
  return {words_of(text), number};
}

Directive directive_above(const std::vector<std::string>& lines, unsigned number) {
  for (unsigned line = number; line > 1 && line <= lines.size() + 1; --line) {
    const std::string& above = lines[line - 2];
    if (!directive_text(above).empty()) return directive_at(lines, line - 1);
    if (!is_comment(above)) break;
  }
  return {};
}

} // namespace andes::preprocessor::plugin
