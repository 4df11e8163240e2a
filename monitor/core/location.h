// Location: one thread of the program: its call tree and the stack of its open visits. The probes'
// fast path works on `andes_location` (probe.h); this file holds the cases that need a function call:
// folded and sampled visits, frames left without notice, limits, switching.
//
// Invariants:
//  - only its own thread changes a location's tree and frames, but for switching (switch_off,
//    switch_on, restart_times) and the end (close_frames), while its thread is held (held_threads.h);
//  - above the innermost frame there is room for as many frames as the tree may be deep, since the
//    fast path pushes frames without checking, at most as many as the tree is deep;
//  - from the start arrays have the size that the settings give, as reserved, untouched memory.
#pragma once
#include <cstdint>

#include "monitor/core/attached_values.h"
#include "monitor/core/core_losses.h"
#include "monitor/core/counting.h"
#include "monitor/core/event_log.h"
#include "monitor/core/governor.h"
#include "monitor/core/team_state.h"
#include "monitor/core/tree.h"

namespace andes::monitor {

inline constexpr std::uintptr_t beyond_all = ~std::uintptr_t{0} >> 1;

struct FunctionSamples;
struct HiddenFrames;
struct SideStacks;

/// Bounds of a thread's stack. If they are unknown, they span the whole address space, so that no
/// address seems to be on another stack.
struct Stack {
  std::uintptr_t low = 0, high = beyond_all;
};
/// For the main thread this reads a file of the system: to be called once per thread.
Stack stack_of_this_thread();

struct Location : andes_location_data {
  Tree tree;
  Governor governor;
  std::uint32_t traffic_count, traffic_limit;
  andes_frame* frames;       // frames[0] is the root's
  andes_frame* bottom;       // the lowest frame of the running stack: `frames`, or a side stack's
  andes_frame* last_frame;   // the slow path pushes no frame above it
  andes_frame* paid_frame;   // memory up to here is taken from the budget
  andes_frame* short_frames; // below here a folded frame may be pushed without asking (recursion.h)
  Backed backed_frames, backed_traffic; // the frames of the thread's own stack
  std::uintptr_t stack_low, stack_high; // bounds of the running stack
  SideStacks* sides;         // null: the thread has never used another stack
  HiddenFrames* hidden;      // hidden_frames.h
  FunctionSamples* function_samples; // null: none are taken
  andes_frame* own_top;      // top frame of the thread's own stack while another stack runs, for readers of arenas,
                             // which do not contain `sides`
  AttachedTable values;
  std::uint64_t suspended_since_ticks;
  std::uint64_t off_ticks;   // time switched off, excluded everywhere
  std::uint64_t first_ticks, last_ticks; // begin and end of the thread within the measured interval
  Counting counting;
  EventTables* call_tables;  // null: no log of function calls
  EventLog calls;            // function calls (EventKind::function_call), written by the thread alone
  std::int32_t thread_id;    // the system's thread id
  CoreLosses losses;
  std::uint64_t window_work_ticks, window_work_seen; // of slow paths in windows (window_cost.h); as it was when the
                                                     // last window ended
  std::uint64_t slow_paths, slow_paths_seen; // their number, and as it was then
  double window_cpu_ns;      // core time of the thread until the last window ended (windows.h), and from
  double open_cpu_ns, closed_cpu_ns; // there to the opening and to the end of the present one
  double back_ticks;         // running mean: from the opening of a window until the thread's visits are seen; written
                             // by whoever closes windows, under their lock
  double edges_ticks;        // the same of what the edges of windows take of the core time that the kernel counts
  bool back_shows; // in the present window: a call path of many visits is timed, whose first one is soon seen
  bool suspended, in_use;
  bool held, at_work;        // held_threads.h; set by other threads; set by its own thread
  TeamState team;
};

/// To be called before the innermost visit changes: the counts until now belong to the present innermost call path.
inline void count(Location& location) {
  if (__builtin_expect(location.counting.counters != nullptr, 0)) count_now(location);
}

/// Number of the innermost open node.
inline std::uint32_t innermost(const Location& location) {
  return location.tree.number(location.tree.node_at(location.hot->top->place));
}

/// Makes `frame` the innermost.
inline void set_top(Location& location, andes_frame* frame) {
  location.hot->top = frame;
  location.hot->innermost = frame->place;
}

/// Makes a visit the innermost. Its frame is complete before that, and stored again, since a signal handler with visits
/// of its own may have used the place.
[[gnu::always_inline]] inline andes_frame* put_on_top(andes_location& hot, const andes_frame& visit) {
  andes_frame* const frame = hot.top + 1;
  *frame = visit;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  hot.top = frame;
  hot.innermost = visit.place;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  *frame = visit;
  return frame;
}

/// Fills an all-zero location: its arrays, the fixed nodes, the open root frame. False: no memory.
bool location_start(Location& location, const TreeLimits& limits, Budget& memory, std::uint32_t root_region,
                    const Stack& stack, std::uint64_t now_ticks);
void location_free(Location& location);

/// Opens the root of a new location, or of a location whose thread has ended and whose tree another thread continues.
void location_resume(Location& location, const Stack& stack, std::uint64_t now_ticks);

/// Whether open frames were left without notice (longjmp), judged by a function that is entered at
/// `stack`, called from `caller`.
inline bool has_stale_frames(const Location& location, std::uintptr_t stack, std::uintptr_t caller) {
  const andes_frame* top = location.hot->top;
  stack -= location.stack_low;
  return stack > top->stack || (stack == top->stack && top->caller != caller);
}

/// Pops such frames: those deeper in the stack than `stack`, and those at the same place that were
/// called from elsewhere.
void drop_stale_frames(Location& location, std::uintptr_t stack, std::uintptr_t caller, std::uint64_t now_ticks);

/// Counts a visit and opens it, its `enter_ticks` still to be set (open_time) if it is timed. Null:
/// the visit has no frame of its own and its time counts for the innermost open node (direct
/// recursion, or no room). `far`: the node is no child of the innermost open node.
andes_frame* push_frame(Location& location, const Child& child, std::uintptr_t stack, std::uintptr_t caller,
                        bool far = false);

/// Whether the visit reads the clock.
inline bool is_timed(const andes_frame& frame) { return !(frame.bits & ANDES_FRAME_UNTIMED); }

/// Adds to `below`, a visit that is not timed one by one, time of visits that are: it is known exactly, not by
/// samples.
inline void tell_below(andes_frame& below, std::uint64_t ticks) {
  andes_frame* told = &below;
  for (; told->bits & ANDES_FRAME_RECURSION; --told) told->inside_ticks += ticks; // no time of the call path's own
  if (told->bits & ANDES_FRAME_UNTIMED) told->enter_ticks += ticks;
  else if (told->bits & ANDES_FRAME_SAMPLE) told->inside_ticks += ticks;
}

/// Ends the visits from `bottom` to `top`, the innermost first; the frames stay.
void end_visits(Location& location, andes_frame* bottom, andes_frame* top, std::uint64_t now_ticks);

/// Pops `frame` and everything above it. A frame that is not open on the stack that runs is ignored.
void pop_frames(Location& location, andes_frame* frame, std::uint64_t now_ticks);

/// Records time spent in the monitor on behalf of the innermost open node; it is not the node's own time.
inline void charge_tool(Location& location, std::uint64_t ticks) {
  location.tree.accounts[innermost(location)].tool_ticks += ticks;
}

/// From here on no visit is seen; open visits stay open.
void close_to_probes(Location& location);

/// Stops measuring: the time of open visits stands still, new visits are not seen.
void switch_off(Location& location, std::uint64_t now_ticks);
/// Goes on measuring; the time between is excluded from every open visit.
void switch_on(Location& location, std::uint64_t now_ticks);

/// Drops all times so far (visits stay): the times of open visits begin now.
void restart_times(Location& location, std::uint64_t now_ticks);

/// Ends every open visit, that of the root included, and stops measuring.
void close_frames(Location& location, std::uint64_t now_ticks);

} // namespace andes::monitor
