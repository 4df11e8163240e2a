// Marks in Fortran: `!$andes region NAME` ... `!$andes end region`, and the same with phase. Comments to the compiler,
// so they are read in the text.
#pragma once
#include <string>
#include <vector>

#include "preprocessor/pipeline.h"

namespace andes::preprocessor::plugin {

/// What stands between two lines of marks.
struct MarkedLines {
  Block::Kind kind = Block::Kind::region; // or phase
  std::string name;
  unsigned begin = 0, end = 0; // the lines of the marks
};

struct Marks {
  std::vector<MarkedLines> all; // in the order of their ends: inner ones before those around them
  std::vector<std::string> complaints; // "LINE: fact; remedy"
};

/// The marks of a source with these lines.
Marks marks_of(const std::vector<std::string>& lines);

} // namespace andes::preprocessor::plugin
