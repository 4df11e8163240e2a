// What the finishing library says: lines on standard error, in a process of which descriptor 2 may by now be
// a file of the program's own (monitor/say/say.h).
#pragma once
#include <cstdio>
#include <string>

namespace andes {

/// Whether lines may be said at all: the command `andes`, which finishes runs too, always may.
inline bool lines_are_said = true;

/// One line, in one write.
inline void say(const std::string& line) {
  if (lines_are_said) std::fputs(("andes: " + line + "\n").c_str(), stderr);
}

} // namespace andes
