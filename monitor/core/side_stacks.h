// Side stacks: stacks of a thread beside its own: those of user-level threads (ucontext, Boost.Context) and
// alternate stacks of signal handlers. A program switches between them without notice. So each stack has a
// path of open visits of its own; the stack that an event comes from is the running one, the others stand
// still. Threads that never leave their stack pay nothing: addresses beyond its bounds take the slow path
// anyway.
//
// A stack is recognised by addresses alone, as long as a visit is open on it. Addresses within its open frames, or not
// far below the innermost one, belong to it; any other address is on a new stack, whose path begins at the call path
// that is innermost when the stack is first met. On the stack of signal handlers the system begins at the upper end
// each time it switches there: visits still open on it were left by a jump.
//
// Time on a side stack passes while visits of the thread's own stack are open, which contain it, mostly at
// another place of the tree: the time is moved (tree.h). Visits of a parked stack do not age.
//
// Rejected: intercepting makecontext, since Boost.Context and tasking runtimes switch in assembly of their own.
//
// Invariants:
//  - frames never move: open probes hold pointers to them;
//  - a side stack in use has an open visit, and the first of its visits is left by the slow path: then the
//    stack is forgotten, and another may take its place;
//  - visits on a stack for which there is no room are counted at the current call path, as if the thread had
//    not switched.
#pragma once
#include "monitor/core/location.h"

namespace andes::monitor {

inline constexpr std::uint32_t max_side_stacks = 4096; // of a thread, with open visits, at a time

/// The path of one stack. For the running stack, the values that change stand in the Location.
struct PathOfStack {
  andes_frame* frames;         // [0] stands for the call path below which it hangs, and is never popped
  andes_frame *top, *last, *paid; // as hot->top, last_frame and paid_frame of the Location
  std::uintptr_t low, high;    // as stack_low and stack_high; high is the place of the first open frame
  std::uint64_t since_ticks;   // since when it runs, or is parked
  PathOfStack* before;         // the stack that ran when this one was first met
  bool in_use;
  bool of_handlers;            // of the thread's signal handlers (sigaltstack)
};

struct SideStacks {
  PathOfStack own;      // the thread's own stack
  PathOfStack* running;
  std::uint32_t count;  // in use
  std::uint32_t met;    // elements of `all` that were ever in use
  std::uint32_t limit;
  bool changing;        // while set, a signal handler that jumps leaves this data in the middle of a change
  andes_frame* frames;  // the frames of all side stacks, one after the other
  std::uint32_t frames_each;
  PathOfStack* by_place[max_side_stacks]; // in use, from low addresses to high ones
  PathOfStack* unused[max_side_stacks];   // met - count of them
  PathOfStack all[max_side_stacks];
};

/// Bounds of the thread's own stack, whichever stack runs.
inline Stack own_stack(const Location& location) {
  if (!location.sides) return {location.stack_low, location.stack_high};
  return {location.sides->own.low, location.sides->own.high};
}
/// To be called when another thread continues the location, on its own stack.
void set_own_bounds(Location& location, const Stack& stack);
void free_side_stacks(Location& location);

/// Whether the address `stack` lies on the running stack.
inline bool is_on_running_stack(const Location& location, std::uintptr_t stack) {
  return stack >= location.stack_low && stack <= location.stack_high;
}

/// Makes the stack that contains the address `stack` the running one; a new stack if none is known. A visit
/// to `region`, called from `caller`, begins there.
void switch_to_stack(Location& location, std::uintptr_t stack, std::uintptr_t caller, std::uint32_t region,
                     std::uint64_t now_ticks);

/// The same for the stack that holds `frame`, or the address `stack`; does nothing if there is none.
void switch_to_stack_of(Location& location, const andes_frame* frame, std::uint64_t now_ticks);
void switch_to_known_stack(Location& location, std::uintptr_t stack, std::uint64_t now_ticks);

/// Forgets the running stack if it is a side stack without open visits.
void forget_empty_stack(Location& location, std::uint64_t now_ticks);

/// The first visit on a side stack must not be left by the fast path.
inline void mark_first_visit(const Location& location, andes_frame* frame) {
  if (location.sides && frame == location.bottom + 1 && location.bottom != location.frames)
    frame->bits |= ANDES_FRAME_INSIDE;
}

/// After a jump out of a signal handler back to the thread's own stack: if a change was left in the middle, the own
/// stack becomes the running one, and the side stacks are forgotten with their open visits.
void repair_side_stacks(Location& location);

/// Ends the open visits of all side stacks; the thread's own stack becomes the running one.
void close_side_stacks(Location& location, std::uint64_t now_ticks);

/// Times begin now.
void restart_side_stacks(Location& location, std::uint64_t now_ticks);

/// Before measuring stops: moves the time so far to its call paths. And when measuring goes on,
/// `off_ticks` later.
void suspend_side_stacks(Location& location, std::uint64_t now_ticks);
void resume_side_stacks(Location& location, std::uint64_t off_ticks);

} // namespace andes::monitor
