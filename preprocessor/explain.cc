// Places are compared by file and line: each compiler spells names differently.
#include "preprocessor/explain.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include <fmt/core.h>

#include "preprocessor/collect/own_headers.h"

namespace andes::preprocessor {
namespace {

std::string full_path(const std::string& path) {
  std::error_code error;
  const auto full = std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error);
  return error ? path : full.string();
}

/// Whether the real compiler takes the file for a system header.
bool is_system(const std::string& file, const Compiler& compiler) {
  return std::ranges::any_of(
      compiler.directories, [&](const std::string& directory) { return file.starts_with(full_path(directory) + "/"); });
}

} // namespace

std::vector<Explanation> unseen_functions(const Source& source, const std::string& path, const Compiled& compiled,
                                          const Compiler& compiler, const Options& options) {
  // By file, the lines from a function's name to its opening brace: compilers report either.
  std::map<std::string, std::vector<std::pair<unsigned, unsigned>>> seen;
  std::map<std::string, std::string> full; // full paths are looked up once
  for (const Function& function : source.functions) {
    std::string& file = full[function.file];
    if (file.empty()) file = full_path(function.file);
    seen[file].emplace_back(function.line, std::max(function.line, function.body_line));
  }
  const std::string main = full_path(path);
  std::vector<Explanation> rows;
  for (const CompiledFunction& function : compiled.functions) {
    const std::string file = full_path(function.file);
    if (file != main && !is_looked_at(file, is_system(file, compiler), main, options.headers, options.third_party))
      continue;
    if (std::ranges::any_of(seen[file], [&](const auto& lines) {
          return function.line >= lines.first && function.line <= lines.second;
        }))
      continue;
    rows.push_back({function.name, place_of(file == main ? path : function.file, function.line, path),
                    source.error.empty() ? "left out: not seen by Clang, only by the compiler"
                                         : fmt::format("left out: not seen by Clang: {}", source.error)});
  }
  return rows;
}

std::string table_of(const std::vector<Explanation>& rows) {
  std::size_t name = 8, place = 6;
  for (const Explanation& row : rows) {
    name = std::max(name, std::min<std::size_t>(row.name.size(), 60));
    place = std::max(place, row.place.size() + 1); // two blanks before the longest
  }
  std::string text = fmt::format("{:<{}} {:>{}}  {}\n", "function", name, "line", place, "decision");
  for (const Explanation& row : rows)
    text += fmt::format("{:<{}} {:>{}}  {}\n", row.name, name, row.place, place, row.decision);
  return text;
}

} // namespace andes::preprocessor
