// The functions on the stack that a function was called by, one after the other, as the unwind tables tell (frames.h).
// What they tell of a return address is kept, so that a step takes one look-up. All is written in memory of the
// thread's own.
//
// Where the base pointer of a caller is needed that nobody has saved on the way, it is found from the monitor's own
// frames up, through the probe. A walk proves something only if it comes out exactly where it should, at the frame of
// the innermost open visit.
#pragma once
#include <cstdint>

#include "monitor/core/known_table.h"
#include "monitor/core/unloading.h"
#include "monitor/system/frames.h"

namespace andes::monitor {

/// A function that is entered below the innermost open visit.
struct Entered {
  std::uint32_t region, kind;
  std::uintptr_t stack, caller; // as for open_visit()
};

/// What is known of a return address.
struct KnownFrame {
  std::uintptr_t address;
  std::uintptr_t function; // that goes on there; 0: none is known
  std::uintptr_t target; // of the call before; 0: only the running program knows
  FrameRule rule; // of the function's frame meanwhile
};

inline constexpr std::uint32_t frame_slots = 4096;

/// All zero is empty.
using KnownFrames = KnownTable<KnownFrame, frame_slots>;

/// Asks the tables if it is not known yet.
KnownFrame known_frame(KnownFrames& frames, std::uintptr_t address, Budget& memory);

/// Forgets addresses in code that was unloaded.
void forget(KnownFrames& frames, const UnloadedSince& unloaded);

/// The callers of a function that is entered, from the innermost to the outermost.
class Callers {
public:
  /// `limit`: no caller's frame ends above that place on the stack. Nothing is asked of a caller before step().
  Callers(KnownFrames& frames, const Entered& entered, std::uintptr_t limit, Budget& memory)
      : frames_(frames), memory_(memory), entered_(entered), limit_(limit), frame_{entered.caller, entered.stack, 0} {}

  const Frame& frame() const { return frame_; }
  std::uintptr_t limit() const { return limit_; }
  /// Where the address lies at which the frame's function goes on, above the function that is entered; after a step.
  std::uint32_t return_slot() const { return static_cast<std::uint32_t>(return_place_ - entered_.stack); }
  /// To its caller. `rule`: that of the frame. False: it has none, or none is known.
  bool step(const FrameRule& rule);

private:
  KnownFrames& frames_;
  Budget& memory_;
  const Entered& entered_;
  std::uintptr_t limit_;
  Frame frame_;
  std::uintptr_t return_place_ = 0;
  bool has_own_base_ = false; // not that of the entered function's caller any more
};

/// The function that has the probe. 0: not found from the monitor's own frames.
std::uintptr_t function_of_probe(KnownFrames& frames, const Entered& entered, Budget& memory);

/// Where the probe has called the monitor from, and the function; all 0: not found.
struct ProbePlace {
  std::uintptr_t address, function;
};
ProbePlace place_of_probe(KnownFrames& frames, const Entered& entered, Budget& memory);

} // namespace andes::monitor
