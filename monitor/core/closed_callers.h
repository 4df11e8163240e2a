// The closed functions that a call below the innermost open visit was made by: their calls are known by the return
// addresses that stand on the stack (hidden_frames.h).
//
// Where the unwind tables lead from the call to the innermost open visit, the functions between are certain. Elsewhere
// all words are looked at (code without tables, frames that the tables describe in ways not known here). There are
// return addresses of calls that have returned among them: in frames that nobody has written to, in the gaps that
// align arguments. So a word counts only if the call next to it was seen in that closed function, or stands in the
// code that the word's own call leads to.
#pragma once
#include <cstdint>

#include "monitor/core/known_calls.h"
#include "monitor/core/known_frames.h"

namespace andes::monitor {

struct Location;

/// A return address on the stack.
struct Link {
  std::uint32_t offset; // above the function that is entered, bytes
  std::uintptr_t address;
};

inline constexpr std::uint32_t most_links = 8;

/// Calls of closed functions, the innermost first.
struct ClosedCallers {
  std::uint32_t links = 0;
  Link link[most_links];
  std::uint32_t region[most_links]; // that the call leads to
  bool in_recursion = false; // the outermost call leads to direct recursion of the innermost open visit, which has no
      // visit of its own: closed functions further out are not between
  bool doubtful = false; // an address was refused that may have been one of them
};

ClosedCallers closed_callers(const Process& process, const Location& location, const KnownCalls& calls,
                             KnownFrames& frames, const Entered& entered);

} // namespace andes::monitor
