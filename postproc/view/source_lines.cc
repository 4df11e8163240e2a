#include "postproc/view/source_lines.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

namespace andes::postproc {
namespace {

constexpr int lines_around = 8;
constexpr std::size_t longest_line = 400;

bool is_source(const std::filesystem::path& file) {
  static constexpr std::array suffixes = {".c",   ".cc",  ".cpp", ".cxx", ".C",   ".h",   ".hh",  ".hpp", ".hxx",
                                          ".inl", ".tcc", ".f",   ".F",   ".for", ".f77", ".f90", ".F90", ".f95",
                                          ".F95", ".f03", ".F03", ".f08", ".F08", ".py",  ".cu"};
  std::error_code error;
  return std::find(suffixes.begin(), suffixes.end(), file.extension().string()) != suffixes.end() &&
         std::filesystem::is_regular_file(file, error);
}

Json lines_of(const std::filesystem::path& file, const std::set<int>& wanted) {
  Json lines = Json::array();
  std::ifstream in(file);
  std::string text;
  for (int line = 1; std::getline(in, text); ++line) {
    const auto next = wanted.lower_bound(line - lines_around);
    if (next == wanted.end()) break;
    if (*next <= line + lines_around) lines.push_back({{"line", line}, {"text", text.substr(0, longest_line)}});
  }
  return lines;
}

} // namespace

Json source_lines(const std::vector<const Profile*>& runs) {
  std::map<std::string, std::set<int>> wanted;
  std::map<std::string, std::filesystem::path> found;
  for (const Profile* run : runs) {
    for (const Region& region : run->regions) {
      if (region.file.empty() || region.line <= 0) continue;
      wanted[region.file].insert(region.line);
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
