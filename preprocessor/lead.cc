#include "preprocessor/lead.h"

#include <algorithm>
#include <cctype>

namespace andes::preprocessor {
namespace {

constexpr auto npos = std::string_view::npos;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

/// Whether the line ends as it began: outside of comments, and not continued on the next one.
bool is_whole(std::string_view line) {
  for (const std::string_view doubtful : {"\\", "?\?/", "R\""}) // a splice, also as a trigraph; a raw string
    if (line.find(doubtful) != npos) return false;
  const std::size_t open = line.rfind("/*");
  return open == npos || line.find("*/", open + 2) != npos;
}

/// The word behind the #, without blanks.
std::string_view word_of(std::string_view line) {
  std::size_t begin = line.find('#') + 1;
  while (begin < line.size() && is_blank(line[begin])) ++begin;
  std::size_t end = begin;
  while (end < line.size() && (std::isalnum(static_cast<unsigned char>(line[end])) || line[end] == '_')) ++end;
  return line.substr(begin, end - begin);
}

/// Behind blanks, newlines and comments; npos: a comment does not end, or a // comment may go on in the next line.
std::size_t skip_nothing(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    if (text[at] == '\n' || is_blank(text[at])) {
      ++at;
    } else if (text.substr(at, 2) == "/*") {
      const std::size_t end = text.find("*/", at + 2);
      if (end == npos) return npos;
      at = end + 2;
    } else if (text.substr(at, 2) == "//") {
      const std::size_t end = text.find('\n', at);
      if (end == npos || !is_whole(text.substr(at + 2, end - at - 2))) return npos;
      at = end;
    } else {
      break;
    }
  }
  return at;
}

/// Whether a directive or an operator that names a file may stand there: behind such a word's # there may be blanks,
/// comments and splices.
bool may_name_files(std::string_view text) {
  for (const std::string_view word : {"include", "import", "embed"})
    for (std::size_t at = 0; (at = text.find(word, at)) != npos; at += word.size()) {
      const std::string_view before = text.substr(0, at);
      const std::size_t last = before.find_last_not_of(" \t\r\f\v\n\\");
      if (before.ends_with("__has_") || (last != npos && std::string_view("#:=/").find(before[last]) != npos))
        return true;
    }
  return false;
}

} // namespace

Lead lead_of(std::string_view source) {
  Lead lead, further; // further: with lines that no inclusion has followed yet
  for (std::size_t at = 0; (at = skip_nothing(source, at)) < source.size();) {
    const std::size_t end = source.find('\n', at);
    if (source[at] != '#' || end == npos) break;
    const std::string_view line = source.substr(at, end - at), word = word_of(line);
    const bool includes = word == "include";
    if (!is_whole(line) || !(includes || word == "define" || word == "undef")) break;
    further.lines.emplace_back(further.text.size(), at);
    further.text.append(line).append("\n");
    further.end = at = end + 1;
    if (includes) lead = further;
  }
  return lead;
}

std::optional<std::vector<std::string_view>> quoted_inclusions(std::string_view source, const Lead& lead) {
  std::vector<std::string_view> names;
  for (const auto& [in_lead, in_source] : lead.lines) {
    const std::string_view line = source.substr(in_source, source.find('\n', in_source) - in_source),
                           word = word_of(line);
    if (word != "include") continue;
    const std::string_view operand = line.substr(std::size_t(word.end() - line.begin()));
    const std::size_t open = skip_nothing(operand, 0);
    if (open >= operand.size() || (operand[open] != '"' && operand[open] != '<')) return std::nullopt;
    const std::size_t close = operand.find('"', open + 1);
    if (operand[open] == '"') names.push_back(operand.substr(open + 1, close == npos ? npos : close - open - 1));
  }
  if (may_name_files(source.substr(lead.end))) return std::nullopt;
  return names;
}

std::size_t in_source(const Lead& lead, std::size_t offset) {
  const auto behind = std::ranges::upper_bound(lead.lines, offset, {}, [](const auto& line) { return line.first; });
  if (behind == lead.lines.begin()) return offset;
  return std::prev(behind)->second + (offset - std::prev(behind)->first);
}

} // namespace andes::preprocessor
