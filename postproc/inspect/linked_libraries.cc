#include "postproc/inspect/linked_libraries.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "postproc/inspect/command_output.h"
#include "postproc/inspect/elf_file.h"

namespace fs = std::filesystem;

namespace andes::postproc {
namespace {

void add_once(std::vector<std::string>& list, std::string name) {
  if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(std::move(name));
}

void read_line(std::string_view line, LinkedLibraries& libraries) {
  constexpr std::string_view arrow = " => ", nowhere = "not found", version = ": version `";
  if (const std::size_t at = line.find(version); at != std::string_view::npos) {
    const std::string_view name = line.substr(at + version.size());
    add_once(libraries.missing_versions, std::string(name.substr(0, name.find('\''))));
    return;
  }
  const std::size_t at = line.find(arrow);
  if (at == std::string_view::npos) return;
  const std::string soname(line.substr(0, at));
  const std::string_view place = line.substr(at + arrow.size());
  if (place.starts_with(nowhere)) add_once(libraries.missing, soname);
  else libraries.found.push_back({soname, std::string(place.substr(0, place.rfind(" (")))});
}

} // namespace

LinkedLibraries read_library_list(const std::string& text) {
  LinkedLibraries libraries;
  libraries.known = true;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    read_line(line, libraries);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return libraries;
}

LinkedLibraries linked_libraries(const std::string& path) {
  const auto file = ElfFile::open(path);
  if (!file || file->needed().empty()) return {};
  const std::string loader = own_program().interpreter(), theirs = file->interpreter();
  std::error_code none;
  if (loader.empty() || file->machine() != own_program().machine() || file->bits() != own_program().bits()) return {};
  if (!theirs.empty() && theirs != loader && !fs::equivalent(theirs, loader, none)) return {};
  // The option --list would end at the first library that is missing.
  return read_library_list(output_of({loader, fs::absolute(path, none).string()}, {"LD_TRACE_LOADED_OBJECTS=1"}).text);
}

} // namespace andes::postproc
