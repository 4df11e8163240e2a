// Pairs of a path and a name, for messages.h and depfile.h. A path without a name is that of a file which the user's
// own command would not have mentioned.
#include "preprocessor/copy_traces.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>

#include <fmt/core.h>

#include "common/message.h"
#include "preprocessor/commands.h"
#include "preprocessor/depfile.h"
#include "preprocessor/messages.h"
#include "preprocessor/process.h"

namespace andes::preprocessor {
namespace {

using Names = std::map<std::string, std::string>;

std::string without_dot(std::string path) {
  while (path.starts_with("./")) path.erase(0, 2);
  return path;
}

/// A header is listed once, however often it is entered; GCC lists a source that includes itself twice, and a header
/// once for each name it has.
void add_names_of_dependencies(const Copies& copies, bool is_gcc, bool user_dependencies, Names& names) {
  const auto left_out = [&](const Copy& file) { return file.system && user_dependencies; };
  for (const Copy& file : copies.originals) names[file.path] = left_out(file) ? "" : without_dot(file.name);
  std::set<std::string> listed;
  for (const Copy& copy : copies.files) {
    const bool source = &copy == &copies.files[0];
    const bool again = is_gcc && !source && !listed.insert(copy.name).second;
    names[copy.path] = again || left_out(copy) ? "" : without_dot(copy.name);
  }
  names[copies.preamble] = "";
}

} // namespace

std::string in_users_names(std::string text, const CopySet& copies) {
  Names names;
  for (const UnitCopies& unit : copies.units) {
    for (const Copy& file : unit.copies.originals) names[file.path] = file.name;
    for (const Copy& copy : unit.copies.files) names[copy.path] = copy.name;
    if (!unit.copies.files.empty()) names[unit.copies.preamble] = "";
  }
  const bool named =
      std::ranges::any_of(names, [&](const auto& name) { return text.find(name.first) != std::string::npos; });
  return named ? fix_messages(std::move(text), names) : text;
}

void fix_dependency_files(const Compilation& compilation, const CopySet& copies) {
  const CompilerCommand& command = compilation.command;
  Names names;
  for (const UnitCopies& unit : copies.units)
    if (!unit.copies.files.empty())
      add_names_of_dependencies(unit.copies, compilation.is_gcc(), command.user_dependencies, names);
  const DependencyStyle style = compilation.is_gcc() ? DependencyStyle::gcc : DependencyStyle::clang;
  for (const std::string& path : command.dependency_files) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) continue;
    const std::string text = read_file(path).value_or("");
    const std::string fixed = fix_dependencies(text, names, style);
    if (fixed != text && !write_file(path, fixed))
      say("{}: dependencies cannot be corrected ({}); they name copies of andes", path, std::strerror(errno));
  }
}

} // namespace andes::preprocessor
