// The line of a selection file that leaves one region out, as the views print it and the
// preprocessor reads it (`--select FILE`). The name is the region's, as it stands in the table of
// sites and in the run file; what the shell would take for wildcards is escaped.
//
// A name with a parameter list leaves out that overload alone. One without stands for all functions
// of the program with that name, whatever their parameters.
#pragma once
#include <string>
#include <string_view>

namespace andes {

/// "exclude NAME", without an end of line.
inline std::string selection_line(std::string_view name) {
  std::string line = "exclude ";
  for (const char c : name) {
    if (c == '*' || c == '?' || c == '[' || c == '\\') line += '\\';
    line += c;
  }
  return line;
}

} // namespace andes
