#include "preprocessor/plugin/marks.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include <fmt/core.h>

namespace andes::preprocessor::plugin {
namespace {

constexpr std::string_view blanks = " \t\r";

std::string trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(blanks), text.size());
  text.remove_prefix(begin);
  return std::string(text.substr(0, text.find_last_not_of(blanks) + 1));
}

std::string lowered(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return text;
}

/// What follows the sentinel; nothing if the line is no mark.
std::optional<std::string> mark_text(const std::string& line) {
  constexpr std::string_view word = "$andes";
  const std::size_t begin = line.find_first_not_of(blanks);
  if (begin == std::string::npos || line.size() <= begin + word.size()) return std::nullopt;
  const bool comment = line[begin] == '!' || (begin == 0 && (line[0] == 'c' || line[0] == 'C' || line[0] == '*'));
  if (!comment || lowered(line.substr(begin + 1, word.size())) != word) return std::nullopt;
  const std::string rest = line.substr(begin + 1 + word.size());
  if (!rest.empty() && blanks.find(rest[0]) == std::string_view::npos) return std::nullopt;
  return trimmed(rest);
}

/// Takes the next word off `text`.
std::string next_word(std::string& text) {
  const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
  const std::string word = text.substr(0, end);
  text = trimmed(std::string_view(text).substr(end));
  return word;
}

/// The name in quotes, or a word; nothing if it is neither.
std::optional<std::string> name_in(const std::string& text) {
  if (text.empty()) return std::nullopt;
  if (text[0] != '"' && text[0] != '\'') {
    const std::size_t end = text.find_first_of(" \t!");
    return end == std::string::npos || trimmed(text.substr(end)).starts_with("!") ? std::optional(text.substr(0, end))
                                                                                  : std::nullopt;
  }
  const std::size_t close = text.find(text[0], 1);
  if (close == std::string::npos || close == 1) return std::nullopt;
  const std::string rest = trimmed(std::string_view(text).substr(close + 1));
  if (!rest.empty() && rest[0] != '!') return std::nullopt;
  return text.substr(1, close - 1);
}

} // namespace

Marks marks_of(const std::vector<std::string>& lines) {
  Marks marks;
  std::vector<MarkedLines> open;
  for (unsigned line = 1; line <= lines.size(); ++line) {
    const std::optional<std::string> mark = mark_text(lines[line - 1]);
    if (!mark) continue;
    const auto wrong = [&](const std::string& fact) {
      marks.complaints.push_back(fmt::format("{}: !$andes{}{}: {}", line, mark->empty() ? "" : " ", *mark, fact));
    };
    std::string rest = *mark;
    std::string word = lowered(next_word(rest));
    const bool ends = word == "end" || word == "endregion" || word == "endphase";
    if (word == "end") word = lowered(next_word(rest));
    else if (ends) word.erase(0, 3);
    if (word != "region" && word != "phase") {
      wrong("no such mark; write region \"name\", phase \"name\", end region or end phase");
      continue;
    }
    const Block::Kind kind = word == "phase" ? Block::Kind::phase : Block::Kind::region;
    if (!ends) {
      const std::optional<std::string> name = name_in(rest);
      if (!name) wrong("has no name; write a word, or a text in quotes");
      open.push_back({kind, name.value_or(""), line, 0});
    } else if (open.empty() || open.back().kind != kind) {
      wrong(open.empty() ? "ends nothing; write the mark where it begins, or remove this one"
                         : fmt::format("the mark of line {} is still open; end that first", open.back().begin));
    } else {
      open.back().end = line;
      if (!open.back().name.empty()) marks.all.push_back(open.back());
      open.pop_back();
    }
  }
  for (const MarkedLines& mark : open)
    marks.complaints.push_back(
        fmt::format("{0}: !$andes {1} {2}: has no end; write !$andes end {1} behind its statements", mark.begin,
                    mark.kind == Block::Kind::phase ? "phase" : "region", mark.name));
  return marks;
}

} // namespace andes::preprocessor::plugin
