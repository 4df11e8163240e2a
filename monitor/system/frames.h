// Frames on the stack, as the unwind tables of the loaded objects describe them (functions.h): where the frame of a
// function ends, what it returns to, and where the base pointer of its caller is kept. Of the registers only the stack
// pointer and the base pointer are followed; frames of which the tables tell more than that are not known here. Nothing
// is allocated, locked or kept.
#pragma once
#include <cstdint>

namespace andes::monitor {

/// How the frame of a function lies on the stack while what it has called runs.
struct FrameRule {
  enum class Begin : std::uint8_t { unknown, stack_pointer, base_pointer };
  enum class Base : std::uint8_t { unchanged, kept, lost };

  std::int32_t size = 0; // from that pointer to the end of the frame, its canonical frame address
  std::int32_t returns = 0,
               base_at = 0; // where the return address and, if kept, the caller's base pointer lie, from there
  Begin begin = Begin::unknown;
  Base base = Base::unchanged;
  bool is_last = false; // it returns to nowhere, as the first function of a thread

  bool operator==(const FrameRule&) const = default;
};

/// The rule at a return address, or behind a jump.
FrameRule frame_rule(std::uintptr_t address);

/// A function on the stack that something was called by.
struct Frame {
  std::uintptr_t address; // where it goes on
  std::uintptr_t stack; // its stack pointer there
  std::uintptr_t base; // its base pointer; 0: not known
};

/// From a function to its caller. False: the rule does not tell, or the caller is not below `limit` on the stack; the
/// frame is as before then. `copy`: how much further on in memory a copy of the stack lies that is to be read.
bool step_out(Frame& frame, const FrameRule& rule, std::uintptr_t limit, std::uintptr_t copy = 0);

} // namespace andes::monitor
