// One frame of `andes top`, as lines of text: for a screen of any size, or for a pipe.
#pragma once
#include <string>
#include <vector>

#include "postproc/analysis/live.h"
#include "postproc/view/terminal.h"

namespace andes::postproc {

struct TopLayout {
  int height = 0; // lines of the screen; 0: as many as it takes
  LiveOrder order = LiveOrder::extremes;
  std::size_t first = 0;    // ranks passed over by scrolling
  std::string state, foot;  // at the end of the head line; the last line; may be empty
};

/// At most `height` lines of at most `terminal.width` characters, without their newlines. Whatever comes
/// from the program is made printable.
std::vector<std::string> top_lines(const Terminal& terminal, const LiveView& view, const TopLayout& layout);

/// The same figures as a JSON document (docs/live.md).
std::string top_json(const LiveView& view);

/// "350 ms", "12.3 s", "4:05 min", "2:10 h".
std::string span_text(double ns);

} // namespace andes::postproc
