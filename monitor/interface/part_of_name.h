// What programs, launchers and batch systems put into the names of files: the program's own name, the
// number of the job. Whatever they say, it stays one part of one name. Used by the monitor and by
// `andes run`, which must come to the same name.
#pragma once
#include <string>

namespace andes {

/// `text` without what leads into another directory, hides a file or breaks a line; such characters
/// become _.
inline std::string part_of_name(std::string text) {
  for (char& c : text)
    if (c == '/' || static_cast<unsigned char>(c) < ' ' || c == 127) c = '_';
  if (!text.empty() && text[0] == '.') text[0] = '_';
  return text;
}

} // namespace andes
