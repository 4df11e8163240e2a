// Location: one thread of the program: its call tree and the stack of its open visits. The probes'
// fast path works on `andes_location` (probe.h); this file holds what it leaves to a function call:
// folded and sampled visits, frames left without notice, limits, switching.
//
// Invariants:
//  - only its own thread changes a location's tree and frames, but for switching (switch_off,
//    switch_on, restart_times) and the end (close_frames), while its thread is held (held_threads.h);
//  - above the innermost frame there is room for as many as the tree may be deep, since the fast path
//    pushes without asking, one depth of the tree at a time;
//  - arrays have the size the settings give from the start, as reserved, untouched memory.
#pragma once
#include <cstdint>

#include "monitor/system/core_waits.h"
#include "monitor/core/counting.h"
#include "monitor/core/event_log.h"
#include "monitor/core/governor.h"
#include "monitor/core/team_state.h"
#include "monitor/core/tree.h"
#include "monitor/core/attached_values.h"

namespace andes {

inline constexpr std::uintptr_t beyond_all = ~std::uintptr_t{0} >> 1;

struct HiddenFrames;
struct SideStacks;

/// Bounds of a thread's stack. Unknown ones are the whole address space: then nothing is taken for
/// another stack.
struct Stack {
  std::uintptr_t low = 0, high = beyond_all;
};
/// Reads a file of the system's for the main thread: once a thread, not oftener.
Stack stack_of_this_thread();

struct Location : andes_location_data {
  Tree tree;
  Governor governor;
  std::uint32_t traffic_count, traffic_limit;
  andes_frame* frames;       // frames[0] is the root's
  andes_frame* bottom;       // of the path of the stack that runs: frames, or a side stack's
  andes_frame* last_frame;   // the slow path pushes none above it
  andes_frame* paid_frame;   // memory up to here is taken from the budget
  andes_frame* short_frames; // below here a folded frame may be pushed without asking (recursion.h)
  Backed backed_frames, backed_traffic; // the frames of the thread's own stack
  std::uintptr_t stack_low, stack_high; // bounds of the stack that runs
  SideStacks* sides;         // null: none was ever met
  HiddenFrames* hidden;      // hidden_frames.h
  andes_frame* own_top;      // of the thread's own stack while another runs, for readers of arenas: sides is in none
  AttachedTable values;
  std::uint64_t suspended_since_ticks;
  std::uint64_t off_ticks;   // time switched off, excluded everywhere
  std::uint64_t first_ticks, last_ticks; // of its life in the measured interval
  Counting counting;
  std::int32_t thread_id;    // of the system
  CoreWaits waits, waits_before; // of the measured interval; of the thread when it began, or when last asked
  std::uint64_t searches_in_windows, searches_seen; // for hidden frames; those until the last window ended
  double window_cpu_ns;      // time that the thread had a core until the last window ended (windows.h), and from
  double open_cpu_ns, closed_cpu_ns; // there to the opening and to the end of the present one
  bool suspended, in_use;
  bool held, at_work;        // held_threads.h; by other threads, and by its own
  TeamState team;
};

/// Before what is innermost changes: what the thread has counted until now belongs to what is innermost now.
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

/// Fills an all-zero location: its arrays, the fixed nodes, the open root frame. False: no memory.
bool location_start(Location& location, const TreeLimits& limits, Budget& memory,
                    std::uint32_t root_region, const Stack& stack, std::uint64_t now_ticks);
void location_free(Location& location);

/// Opens the root: of a new location, or of one whose thread has ended and whose tree goes on.
void location_resume(Location& location, const Stack& stack, std::uint64_t now_ticks);

/// Whether frames above the one that is entered now, at `stack` called from `caller`, were left
/// without notice (longjmp).
inline bool has_stale_frames(const Location& location, std::uintptr_t stack, std::uintptr_t caller) {
  const andes_frame* top = location.hot->top;
  stack -= location.stack_low;
  return stack > top->stack || (stack == top->stack && top->caller != caller);
}

/// Pops them: frames deeper in the stack than `stack`, and those at the same place that were called
/// from elsewhere.
void drop_stale_frames(Location& location, std::uintptr_t stack, std::uintptr_t caller,
                       std::uint64_t now_ticks);

/// Counts a visit and opens it, its `enter_ticks` still to be set (open_time) if it is timed. Null: it
/// has no frame of its own and its time is the innermost open node's (recursion straight into itself,
/// or no room).
/// `far`: the node is no child of the innermost open one.
andes_frame* push_frame(Location& location, const Child& child, std::uintptr_t stack,
                        std::uintptr_t caller, bool far = false);

/// Whether the visit reads the clock.
inline bool is_timed(const andes_frame& frame) { return !(frame.bits & ANDES_FRAME_UNTIMED); }

/// Ends the visits from `bottom` to `top`, the innermost first; the frames stay.
void end_visits(Location& location, andes_frame* bottom, andes_frame* top, std::uint64_t now_ticks);

/// Pops `frame` and everything above it. A frame that is not open on the stack that runs is ignored.
void pop_frames(Location& location, andes_frame* frame, std::uint64_t now_ticks);

/// Time spent in the monitor on behalf of the innermost open node: not its own time.
inline void charge_tool(Location& location, std::uint64_t ticks) {
  location.tree.accounts[innermost(location)].tool_ticks += ticks;
}

/// From here on no visit is seen; what is open stays so.
void close_to_probes(Location& location);

/// Stops measuring: open frames stand still, new visits are not seen.
void switch_off(Location& location, std::uint64_t now_ticks);
/// Goes on measuring; the time between is excluded from every open visit.
void switch_on(Location& location, std::uint64_t now_ticks);

/// Drops the times so far (visits stay): open visits begin now.
void restart_times(Location& location, std::uint64_t now_ticks);

/// Ends every open visit, the root's included, and stops measuring.
void close_frames(Location& location, std::uint64_t now_ticks);

} // namespace andes
