// A page of Markdown is taken apart by its lines: sections ("## "), terms ("- **a**, **b**: ..." and what is indented
// below), rows of the tables of columns and of causes. Definitions are written as the page has them, without its marks.
#include "postproc/view/definitions.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <vector>

#include "common/nearest.h"
#include "common/refusal.h"
#include "postproc/view/pages.h"

namespace andes::postproc {
namespace {

struct Definition {
  std::string title; // of its section, or the word itself
  std::vector<std::string> lines;
};

/// By what a user may write, in the form that plain() gives.
using Definitions = std::map<std::string, Definition>;

/// The form in which words are compared.
std::string plain(std::string_view word) {
  std::string text;
  for (const char c : word) {
    const bool blank = c == '_' || c == '-' || c == ' ';
    if (blank && (text.empty() || text.back() == ' ')) continue;
    if (blank) text += ' ';
    else if (c != '`' && c != '*' && c != '.') text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

std::vector<std::string> lines_of(std::string_view page) {
  std::vector<std::string> lines;
  while (!page.empty()) {
    const std::size_t end = std::min(page.find('\n'), page.size());
    lines.emplace_back(page.substr(0, end));
    page.remove_prefix(std::min(end + 1, page.size()));
  }
  return lines;
}

/// The text between pairs of `mark`.
std::vector<std::string> between(std::string_view text, std::string_view mark) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; (at = text.find(mark, at)) != text.npos;) {
    const std::size_t end = text.find(mark, at + mark.size());
    if (end == text.npos) break;
    parts.emplace_back(text.substr(at + mark.size(), end - at - mark.size()));
    at = end + mark.size();
  }
  return parts;
}

std::vector<std::string> columns_of_row(const std::string& line) {
  std::vector<std::string> cells;
  for (std::size_t at = 2; at < line.size();) {
    const std::size_t end = std::min(line.find(" |", at), line.size());
    cells.push_back(line.substr(at, end - at));
    at = end + 3;
  }
  return cells;
}

using Sections = std::map<std::string, std::vector<std::string>>; // by title

Sections sections_of(std::string_view page) {
  Sections sections;
  std::vector<std::string>* section = nullptr;
  for (std::string& line : lines_of(page)) {
    if (line.starts_with("## ")) section = &sections[line.substr(3)];
    else if (section && (!line.empty() || !section->empty())) section->push_back(std::move(line));
  }
  return sections;
}

/// The terms of a section, each with its lines.
void add_terms(const std::string& title, const std::vector<std::string>& lines, Definitions& definitions) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].starts_with("- **")) continue;
    Definition definition{title, {lines[i]}};
    for (std::size_t more = i + 1; more < lines.size() && lines[more].starts_with("  "); ++more)
      definition.lines.push_back(lines[more]);
    for (const std::string& term : between(lines[i].substr(0, lines[i].find(':')), "**"))
      definitions.emplace(plain(term), definition);
  }
}

Definitions definitions_of(std::string_view metrics, std::string_view rules) {
  Definitions definitions;
  const Sections sections = sections_of(metrics);
  for (const auto& [title, lines] : sections)
    if (title != "Columns") definitions[plain(title)] = {title, lines};
  for (const auto& [title, lines] : sections) add_terms(title, lines, definitions);
  for (const std::string& line : lines_of(metrics)) {
    const std::vector<std::string> cells = line.starts_with("| `") ? columns_of_row(line) : std::vector<std::string>();
    const auto section = sections.find(cells.size() == 2 ? cells[1] : "");
    if (section == sections.end()) continue;
    for (const std::string& key : between(cells[0], "`"))
      definitions.emplace(plain(key), Definition{section->first, section->second});
  }
  bool is_cause = false;
  for (const std::string& line : lines_of(rules)) {
    if (line.starts_with("| cause | ")) is_cause = true;
    if (!line.starts_with("| ")) is_cause = is_cause && line.starts_with('|');
    const std::vector<std::string> cells =
        is_cause && line.starts_with("| ") ? columns_of_row(line) : std::vector<std::string>();
    if (cells.size() == 3 && cells[0] != "cause")
      definitions.emplace(
          plain(cells[0]),
          Definition{cells[0], {fmt::format("Who waits: {}.", cells[1]), "", fmt::format("How long: {}.", cells[2])}});
  }
  return definitions;
}

/// The definition of a word, or of the only one that it is a part of.
const Definition& find(const Definitions& definitions, const std::string& word) {
  const std::string article = "the ", written = plain(word);
  const std::string wanted = written.starts_with(article) ? written.substr(article.size()) : written;
  if (const auto found = definitions.find(wanted); found != definitions.end()) return found->second;
  std::vector<std::string> words, near;
  for (const auto& [name, definition] : definitions) {
    words.push_back(name);
    if (!wanted.empty() && (" " + name).find(" " + wanted) != name.npos) near.push_back(name);
  }
  if (near.size() == 1) return definitions.at(near.front());
  if (near.empty()) {
    for (const auto& [name, definition] : definitions) words.push_back(name.substr(0, name.find(' ')));
    if (const std::string one = nearest(wanted, words); !one.empty()) near.push_back(one);
  }
  constexpr std::size_t few = 8;
  const bool more = near.size() > few;
  if (more) near.resize(few);
  const bool several = near.size() > 1;
  refuse(word, several ? "more than one definition has this word" : "not defined",
         near.empty() ? "docs/metrics.md has all definitions"
                      : fmt::format("{} {}{}", several ? "give one of:" : "did you mean", fmt::join(near, ", "),
                                    more      ? " ..."
                                    : several ? ""
                                              : "?"));
}

/// Whether a star is a mark of emphasis, on one side of a word, and no sign of multiplication.
bool stands_at_word(const std::string& line, std::size_t at) {
  const auto is_blank = [&](std::size_t place) {
    return place >= line.size() || std::string_view(" .,;:()").find(line[place]) != std::string_view::npos;
  };
  return is_blank(at - 1) != is_blank(at + 1) || line.compare(at, 2, "**") == 0 || (at > 0 && line[at - 1] == '*');
}

/// Without marks of Markdown.
std::string without_marks(const std::string& line) {
  std::string text;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char c = line[at];
    if (c == '`' || (c == '*' && stands_at_word(line, at))) continue;
    const std::size_t middle = c == '[' ? line.find("](", at) : line.npos;
    const std::size_t end = middle == line.npos ? line.npos : line.find(')', middle);
    if (end == line.npos) {
      text += c;
      continue;
    }
    text += line.substr(at + 1, middle - at - 1);
    at = end;
  }
  return text;
}

} // namespace

std::string definition_text(const Terminal& terminal, const std::string& word, std::string_view metrics,
                            std::string_view rules) {
  const Definitions definitions = definitions_of(metrics, rules);
  const Definition& definition = find(definitions, word);
  std::string text = styled(terminal, Style::bold, definition.title) + "\n\n", paragraph;
  std::string first, rest; // margins
  const auto finish = [&] {
    if (!paragraph.empty()) text += wrapped(paragraph, terminal.width, first, rest);
    paragraph.clear();
  };
  for (const std::string& line : definition.lines) {
    const bool verbatim = line.starts_with("    ") || line.starts_with("|");
    const bool item = line.starts_with("- ");
    if (verbatim || item || line.empty()) finish();
    if (line.empty()) text += '\n';
    else if (verbatim) text += without_marks(line) + '\n';
    else {
      if (paragraph.empty()) {
        first = item ? "- " : "";
        rest = item || line.starts_with("  ") ? "  " : "";
      }
      const std::string part = without_marks(line.substr(std::min(line.find_first_not_of(" "), line.size())));
      paragraph += (paragraph.empty() ? "" : " ") + (item ? part.substr(2) : part);
    }
  }
  finish();
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

std::string definition_text(const Terminal& terminal, const std::string& word) {
  return definition_text(terminal, word, metrics_page, rules_page);
}

} // namespace andes::postproc
