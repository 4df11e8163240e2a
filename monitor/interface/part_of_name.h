// Texts of programs, launchers and batch systems as parts of file names: the program's own name, the
// number of the job. Whatever the text is, the result is one part of one name. Used by the monitor
// and by `andes run`, which must get the same name.
#pragma once
#include <string>

namespace andes {

/// `text` without characters that lead into another directory, hide a file or break a line: they
/// become _.
inline std::string part_of_name(std::string text) {
  for (char& c : text)
    if (c == '/' || static_cast<unsigned char>(c) < ' ' || c == 127) c = '_';
  if (!text.empty() && text[0] == '.') text[0] = '_';
  return text;
}

} // namespace andes
