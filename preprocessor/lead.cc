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

/// Words of directives that may lead.
bool may_lead(std::string_view word) {
  constexpr std::string_view words[] = {"include", "define", "undef", "if", "ifdef", "ifndef", "elif", "else", "endif"};
  return std::ranges::find(words, word) != std::end(words);
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

/// Whether leading directives may end with this one: with an inclusion, or the end of a condition behind one.
bool may_be_last(std::string_view word, bool includes_before) {
  return word == "include" || (word == "endif" && includes_before);
}

} // namespace

Lead lead_of(std::string_view source) {
  Lead lead, further; // further: with lines behind which the leading directives do not end
  for (std::size_t at = 0; (at = skip_nothing(source, at)) < source.size();) {
    const std::size_t end = source.find('\n', at);
    if (source[at] != '#' || end == npos) break;
    const std::string_view line = source.substr(at, end - at), word = word_of(line);
    // Where lines stand differs between sources.
    if (!is_whole(line) || !may_lead(word) || line.find("__LINE__") != npos) break;
    further.lines.emplace_back(further.text.size(), at);
    further.text.append(line).append("\n");
    further.end = at = end + 1;
    if (may_be_last(word, lead.end > 0)) lead = further;
  }
  return lead;
}

std::string_view common_lead(std::string_view one, std::string_view other) {
  std::size_t common = 0;
  for (std::size_t at = 0, end; (end = one.find('\n', at)) != npos; at = end + 1) {
    const std::string_view line = one.substr(at, end + 1 - at);
    if (other.substr(at, line.size()) != line) break;
    if (may_be_last(word_of(line), common > 0)) common = end + 1;
  }
  return one.substr(0, common);
}

std::optional<std::size_t> end_of(std::string_view beginning, const Lead& lead, std::string_view source) {
  std::size_t done = 0, end = 0; // of the beginning, and where that ends in the source
  for (const auto& [in_text, in_source] : lead.lines) {
    if (done == beginning.size()) break;
    const std::size_t newline = beginning.find('\n', done);
    if (newline == npos || in_text != done || in_source < end || in_source > source.size()) return std::nullopt;
    const std::string_view line = beginning.substr(done, newline + 1 - done);
    if (source.substr(in_source, line.size()) != line) return std::nullopt;
    done += line.size();
    end = in_source + line.size();
  }
  return done == beginning.size() ? std::optional(end) : std::nullopt;
}

std::optional<std::vector<std::string_view>> quoted_inclusions(std::string_view source, const Lead& lead) {
  std::vector<std::string_view> names;
  for (const auto& [in_lead, in_source] : lead.lines) {
    const std::string_view line = source.substr(in_source, source.find('\n', in_source) - in_source),
                           word = word_of(line);
    if (word != "include") {
      if (may_name_files(line.substr(std::size_t(word.end() - line.begin())))) return std::nullopt;
      continue;
    }
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
