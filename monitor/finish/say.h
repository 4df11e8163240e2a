// Messages of the finishing library: lines on standard error. Descriptor 2 of the process may be a file of
// the program's own by now (monitor/say/say.h).
#pragma once
#include <cstdio>
#include <string>

namespace andes::monitor {

/// Whether lines may be written at all. Always true in the command `andes`, which finishes runs, too.
inline bool lines_are_said = true;

/// One line, in one write.
inline void say(const std::string& line) {
  if (lines_are_said) std::fputs(("andes: " + line + "\n").c_str(), stderr);
}

} // namespace andes::monitor
