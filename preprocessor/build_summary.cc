// A source may be compiled more than once, for a static and a shared library: it counts once.
#include "preprocessor/build_summary.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "common/build_record.h"

namespace andes::preprocessor {
namespace {

constexpr std::size_t most_names = 3; // of programs, and of libraries, in the line

std::string_view next_field(std::string_view& line) {
  const std::size_t end = std::min(line.find('\t'), line.size());
  const std::string_view field = line.substr(0, end);
  line.remove_prefix(std::min(end + 1, line.size()));
  return field;
}

/// Each reason with its number of sources, the most frequent first.
std::string reasons_of(const std::map<std::string, std::string>& left) {
  std::map<std::string, std::size_t> counts;
  for (const auto& [source, why] : left) ++counts[why];
  std::vector<std::pair<std::string, std::size_t>> sorted(counts.begin(), counts.end());
  std::ranges::stable_sort(sorted, std::ranges::greater(), &std::pair<std::string, std::size_t>::second);
  std::vector<std::string> texts;
  for (const auto& [why, count] : sorted) texts.push_back(fmt::format("{}: {}", why, count));
  return fmt::format("{}", fmt::join(texts, ", "));
}

/// ", 2 programs linked (a, b)".
std::string linked(const std::set<std::string>& paths, std::string_view one, std::string_view more) {
  std::set<std::string> names;
  for (const std::string& path : paths) names.insert(std::filesystem::path(path).filename().string());
  const std::string named =
      names.empty() || names.size() > most_names ? "" : fmt::format(" ({})", fmt::join(names, ", "));
  return fmt::format(", {} {} linked{}", paths.size(), paths.size() == 1 ? one : more, named);
}

} // namespace

BuildSummary read_record(std::string_view text, bool (*was_made)(const std::string& path)) {
  BuildSummary summary;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::string_view kind = next_field(line);
    const std::string path = std::filesystem::path(next_field(line)).lexically_normal().string();
    if (kind == record_instrumented) summary.instrumented.insert(path);
    if (kind == record_left) summary.left.emplace(path, next_field(line));
    if (kind == record_asked) summary.asked = true;
    if (kind == record_linked && was_made(path)) summary.programs.insert(path);
    if (kind == record_library && was_made(path)) summary.libraries.insert(path);
  }
  for (const std::string& source : summary.instrumented) summary.left.erase(source);
  return summary;
}

std::string summary_line(const BuildSummary& summary) {
  const std::size_t sources = summary.instrumented.size();
  std::string line = fmt::format("{} source{} instrumented", sources, sources == 1 ? "" : "s");
  if (!summary.left.empty())
    line += fmt::format(", {} left as {} ({})", summary.left.size(), summary.left.size() == 1 ? "it is" : "they are",
                        reasons_of(summary.left));
  if (!summary.programs.empty() || summary.libraries.empty()) line += linked(summary.programs, "program", "programs");
  if (!summary.libraries.empty()) line += linked(summary.libraries, "shared library", "shared libraries");
  return line;
}

} // namespace andes::preprocessor
