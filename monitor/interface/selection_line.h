// Names in selections: the views print, and the preprocessor reads (`--select FILE`), a line that
// excludes one region. The name is the region's name in the table of sites and in the run file;
// characters that would be read as wildcards, comments, the end of a word or the kind of a rule are
// escaped.
//
// A name with a parameter list excludes this overload alone. A name without one excludes all
// functions of the program with that name, whatever their parameters.
#pragma once
#include <string>
#include <string_view>

namespace andes {

/// The name without its parameter list, for the comparison with patterns that have none.
inline std::string without_parameters(const std::string& name) {
  const std::size_t call = name.find("operator()");
  return name.substr(0, name.find('(', call == std::string::npos ? 0 : call + 10));
}

/// Whether a rule can name the region. It cannot if the name is an address in a file without symbols
/// (`libfoo.so+0x1234`), which changes with each build, or code without a file.
inline bool is_selectable(std::string_view name) {
  if (name == "(code without a file)") return false;
  const std::size_t offset = name.rfind("+0x");
  return offset == std::string_view::npos || offset + 3 == name.size() ||
         name.find_first_not_of("0123456789abcdef", offset + 3) != std::string_view::npos;
}

/// "exclude NAME", without an end of line. The name is selectable.
inline std::string selection_line(std::string_view name) {
  std::string line = "exclude ";
  for (const std::string_view kind : {"file ", "mangled "})
    if (name.substr(0, kind.size()) == kind) line += '\\';
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool at_begin = i == 0 || name[i - 1] == ' ';
    const bool lost_space = c == ' ' && (at_begin || i + 1 == name.size());
    if (c == '*' || c == '?' || c == '[' || c == '\\' || (c == '#' && at_begin) || lost_space) line += '\\';
    line += c;
  }
  return line;
}

} // namespace andes
