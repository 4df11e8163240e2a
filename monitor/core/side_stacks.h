// Side stacks: stacks of a thread that are not its own: of user-level threads (ucontext, Boost.Context) and
// alternate ones of signal handlers. A program switches between them without telling anybody. So each has a
// path of open visits of its own; whichever stack an event comes from is the one that runs, the others stand
// still. Threads that never leave their stack pay nothing: addresses beyond its bounds take the slow path
// already.
//
// A stack is known by addresses alone, as long as a visit is open on it: from the first one's frame down.
// What lies within its open frames, or not far below the innermost, belongs to it; anything else is a new
// stack, whose path begins at the call path that is innermost when it is first met. On the stack of signal handlers
// the system begins at its upper end each time it comes there from another one: what was open on it was jumped out of.
//
// Time on a side stack passes while visits of the thread's own stack are open, which contain it, mostly at
// another place of the tree: it is moved there (tree.h). What is parked does not age.
//
// Rejected: intercepting makecontext, since Boost.Context and tasking runtimes switch in assembly of their own.
//
// Invariants:
//  - frames never move: probes that are open hold pointers to them;
//  - a side stack in use has an open visit, and the first of them is left by the slow path: then the stack
//    is forgotten, and another may come to its place;
//  - what finds no room is counted where the thread is, as if it had not switched.
#pragma once
#include "monitor/core/location.h"

namespace andes {

inline constexpr std::uint32_t max_side_stacks = 4096; // of a thread, with open visits, at a time

/// The path of one stack. Of the one that runs, what changes stands in the Location.
struct PathOfStack {
  andes_frame* frames;         // [0] stands for the call path below which it hangs, and is never popped
  andes_frame *top, *last, *paid; // as hot->top, last_frame and paid_frame of the Location
  std::uintptr_t low, high;    // as stack_low and stack_high; high is the place of the first open frame
  std::uint64_t since_ticks;   // it runs, or is parked, since then
  PathOfStack* before;         // which ran when it was first met
  bool in_use;
  bool of_handlers;            // of the thread's signal handlers (sigaltstack)
};

struct SideStacks {
  PathOfStack own;      // the thread's own stack
  PathOfStack* running;
  std::uint32_t count;  // in use
  std::uint32_t met;    // of `all` that were ever in use
  std::uint32_t limit;
  bool changing;        // a signal handler that comes now, and jumps, leaves them in the middle of a change
  andes_frame* frames;  // of all, one after the other
  std::uint32_t frames_each;
  PathOfStack* by_place[max_side_stacks]; // in use, from low addresses to high ones
  PathOfStack* unused[max_side_stacks];   // met - count of them
  PathOfStack all[max_side_stacks];
};

/// Bounds of the thread's own stack, whichever runs.
inline Stack own_stack(const Location& location) {
  if (!location.sides) return {location.stack_low, location.stack_high};
  return {location.sides->own.low, location.sides->own.high};
}
/// A new thread goes on with the location, on a stack of its own.
void set_own_bounds(Location& location, const Stack& stack);
void free_side_stacks(Location& location);

/// Whether `stack` is a place on the stack that runs.
inline bool is_on_running_stack(const Location& location, std::uintptr_t stack) {
  return stack >= location.stack_low && stack <= location.stack_high;
}

/// Makes the stack run on which `stack` is a place, called from `caller` by a visit to `region`; a new one if
/// it is of none that is known.
void switch_to_stack(Location& location, std::uintptr_t stack, std::uintptr_t caller, std::uint32_t region,
                     std::uint64_t now_ticks);

/// The same for the stack that `frame` is of, or `stack` is a place on; nothing if there is none.
void switch_to_stack_of(Location& location, const andes_frame* frame, std::uint64_t now_ticks);
void switch_to_known_stack(Location& location, std::uintptr_t stack, std::uint64_t now_ticks);

/// If the stack that runs is a side stack and no visit is open on it: forgets it.
void forget_empty_stack(Location& location, std::uint64_t now_ticks);

/// The first visit on a side stack must not be left by the fast path.
inline void mark_first_visit(const Location& location, andes_frame* frame) {
  if (location.sides && frame == location.bottom + 1 && location.bottom != location.frames)
    frame->bits |= ANDES_FRAME_INSIDE;
}

/// After a jump out of a signal handler back to the thread's own stack: if they were being changed then, that one runs,
/// and the others are forgotten with what is open on them.
void mend_side_stacks(Location& location);

/// Ends what is open on all side stacks; the thread's own runs.
void close_side_stacks(Location& location, std::uint64_t now_ticks);

/// Times begin now.
void restart_side_stacks(Location& location, std::uint64_t now_ticks);

/// Before measuring stops: the time so far is where it belongs; when it goes on: it is `off_ticks` later.
void settle_side_stacks(Location& location, std::uint64_t now_ticks);
void resume_side_stacks(Location& location, std::uint64_t off_ticks);

} // namespace andes
