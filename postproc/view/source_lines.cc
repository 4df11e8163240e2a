#include "postproc/view/source_lines.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace andes::postproc {
namespace {

constexpr int lines_around = 8;
constexpr int longest_function = 60; // lines: of a longer one only its first lines are kept
constexpr int most_lines = 1'000'000; // of a file: run files are not trusted
constexpr std::size_t longest_line = 400;
constexpr std::string_view white = " \t\r\f\v";

using Wanted = std::map<int, bool>; // by line: whether a function begins there

bool is_source(const std::filesystem::path& file) {
  static constexpr std::array suffixes = {".c",   ".cc",  ".cpp", ".cxx", ".C",   ".h",   ".hh",  ".hpp", ".hxx",
                                          ".inl", ".tcc", ".f",   ".F",   ".for", ".f77", ".f90", ".F90", ".f95",
                                          ".F95", ".f03", ".F03", ".f08", ".F08", ".py",  ".cu"};
  std::error_code error;
  return std::find(suffixes.begin(), suffixes.end(), file.extension().string()) != suffixes.end() &&
         std::filesystem::is_regular_file(file, error);
}

std::size_t indent_of(const std::string& line) {
  std::size_t columns = 0;
  for (const char c : line) {
    if (c == '\t') columns += 8 - columns % 8;
    else if (white.find(c) != white.npos) ++columns;
    else break;
  }
  return columns;
}

/// The text of a line without the blanks around it; a view of the line.
std::string_view text_of(const std::string& line) {
  const std::size_t from = line.find_first_not_of(white);
  if (from == line.npos) return {};
  return std::string_view(line).substr(from, line.find_last_not_of(white) - from + 1);
}

bool begins_with(std::string_view text, std::string_view word) { // whatever the case of the text
  return text.size() >= word.size() && std::equal(word.begin(), word.end(), text.begin(), [](char a, char b) {
           return a == (b >= 'A' && b <= 'Z' ? b - 'A' + 'a' : b);
         });
}

/// Whether a line that stands no further to the right than its function still is in it: brackets, directives, labels.
bool is_inside(std::string_view text, bool python) {
  if (python) return text.front() == ')' || text.front() == ']';
  return std::string_view("{)#:").find(text.front()) != text.npos || text.back() == ':' ||
         begins_with(text, "contains");
}

/// Number of the last line of a function that begins in line `first`, both from 1. Indentation tells, so that one rule
/// serves all languages: absent where a source is not indented, and of functions of more than `longest_function` lines.
std::optional<int> end_of_function(const std::vector<std::string>& lines, int first, bool python) {
  const auto at = [&](int line) -> const std::string& { return lines[static_cast<std::size_t>(line) - 1]; };
  const auto count = static_cast<int>(lines.size());
  if (text_of(at(first)).ends_with('}')) return first;
  const std::size_t indent = indent_of(at(first));
  int last = first; // that is not blank
  for (int line = first + 1; line < first + longest_function; ++line) {
    if (line > count) return python ? std::optional(last) : std::nullopt;
    const std::string_view text = text_of(at(line));
    if (text.empty()) continue;
    const bool is_outside = indent_of(at(line)) <= indent && !is_inside(text, python);
    if (is_outside && python && !text_of(at(last)).starts_with('@'))
      return last; // below "@" the function itself begins
    if (is_outside && !python)
      return text.starts_with('}') || begins_with(text, "end") ? std::optional(line) : std::nullopt;
    last = line;
  }
  return {};
}

Json lines_of(const std::filesystem::path& file, const Wanted& wanted) {
  std::ifstream in(file);
  std::vector<std::string> text;
  const auto most = static_cast<std::size_t>(wanted.rbegin()->first + std::max(lines_around, longest_function));
  for (std::string line; text.size() < most && std::getline(in, line);) text.push_back(std::move(line));
  const auto count = static_cast<int>(text.size());
  std::vector<bool> kept(text.size());
  std::map<int, int> ends;
  for (const auto& [line, is_function] : wanted) {
    if (line > count + lines_around) continue;
    int last = line + lines_around;
    if (is_function && line <= count)
      if (const auto end = end_of_function(text, line, file.extension() == ".py"))
        last = std::max(last, ends[line] = *end);
    for (int i = std::max(1, line - lines_around); i <= std::min(count, last); ++i)
      kept[static_cast<std::size_t>(i) - 1] = true;
  }
  Json lines = Json::array();
  for (int line = 1; line <= count; ++line) {
    if (!kept[static_cast<std::size_t>(line) - 1]) continue;
    Json& one = lines.emplace_back();
    one = {{"line", line}, {"text", text[static_cast<std::size_t>(line) - 1].substr(0, longest_line)}};
    if (const auto end = ends.find(line); end != ends.end()) one["end"] = end->second;
  }
  return lines;
}

} // namespace

Json source_lines(const std::vector<const Profile*>& runs) {
  std::map<std::string, Wanted> wanted;
  std::map<std::string, std::filesystem::path> found;
  for (const Profile* run : runs) {
    for (const Region& region : run->regions) {
      if (region.file.empty() || region.line <= 0 || region.line > most_lines) continue;
      wanted[region.file][region.line] |= region.kind == "function";
      found[region.file] = std::filesystem::path(fact_text(*run, "directory")) / region.file;
    }
  }
  Json sources = Json::object();
  for (const auto& [name, lines] : wanted) {
    if (!is_source(found[name])) continue;
    if (Json text = lines_of(found[name], lines); !text.empty()) sources[name] = std::move(text);
  }
  return sources;
}

} // namespace andes::postproc
