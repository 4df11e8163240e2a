// Location: one thread of the program, with its call tree. The probes' fast path works on
// `andes_location` (probe.h); this file holds the whole of it and what the fast path leaves to a
// function call: new call paths, recursion, frames left without notice, limits.
//
// Invariants:
//  - only its own thread changes a location's tree, but for switching (switch_off, switch_on) and
//    the end (close_frames), which happen while its thread is outside or does not matter any more;
//  - nodes are never removed or moved; parents come before children;
//  - exclusive time of a node = inclusive - sum of the children's inclusive + moved, and the moved
//    times of a tree sum to zero: so the exclusive times sum to the root's inclusive time;
//  - arrays have the size the settings give from the start, as reserved, untouched memory.
#pragma once
#include <cstdint>

#include "monitor/core/monitor.h"
#include "monitor/core/registry.h"

namespace andes {

/// Nodes that every tree has.
enum : std::uint32_t { node_root = 0, node_tool = 1, node_more = 2, node_more_mpi = 3, first_free_node = 4 };

/// Bounds of a location's tree, from the settings.
struct TreeLimits {
  std::uint32_t nodes = 65536;
  std::uint32_t depth = 1024;
  bool fold_recursion = true;
};

struct Location : andes_location_data {
  std::uint32_t* node_of_region; // what hot.cached points to while measuring
  std::uint32_t node_count;
  std::uint32_t* table; // open addressing: (parent, region) -> node
  std::uint32_t table_mask;
  std::uint32_t traffic_count, traffic_limit;
  andes_frame* frames;         // frames[0] is the root's
  std::uintptr_t stack_high;   // above the highest address of the thread's stack
  TreeLimits limits;
  std::uint32_t number;        // 0: the main thread
  std::uint32_t snapshots;     // number of the last one
  std::uint64_t suspended_since_ticks;
  std::uint64_t off_ticks;     // time switched off, excluded everywhere
  std::uint64_t first_ticks, last_ticks; // of its life in the measured interval
  bool suspended, in_use;
};

/// Fills an all-zero location: its arrays, the fixed nodes, the open root frame. False: no memory.
bool location_start(Location& location, const TreeLimits& limits, std::uint32_t root_region,
                    std::uint64_t now_ticks);

/// Gives a location whose thread has ended to another thread: its tree goes on.
void location_resume(Location& location, std::uint64_t now_ticks);

/// Node of `region` below the innermost open one, entered or not; sets `folded` if its time must be
/// moved instead of summed: recursion, or a place beyond the limits.
std::uint32_t child_node(Location& location, std::uint32_t region, std::uint32_t kind,
                         bool& folded);

/// Pops what was left without notice (longjmp): frames deeper in the stack than `stack`, and those
/// at the same place that were called from elsewhere.
void drop_stale_frames(Location& location, std::uintptr_t stack, std::uintptr_t caller,
                       std::uint64_t now_ticks);

/// Pushes a frame; null when there is no room for another (the visit is counted, its time is the
/// caller's).
andes_frame* push_frame(Location& location, std::uint32_t node, bool folded, std::uintptr_t stack,
                        std::uintptr_t caller);

/// Pops `frame` and everything above it. A frame that is not open is ignored.
void pop_frames(Location& location, andes_frame* frame, std::uint64_t now_ticks);

/// Time spent in the monitor on behalf of the innermost open node: not its own time.
void charge_tool(Location& location, std::uint64_t ticks);

/// Stops measuring: open frames stand still, new visits are not seen.
void switch_off(Location& location, std::uint64_t now_ticks);
/// Goes on measuring; the time between is excluded from every open visit.
void switch_on(Location& location, std::uint64_t now_ticks);

/// Drops the times so far (visits stay): open visits begin now.
void restart_times(Location& location, std::uint64_t now_ticks);

/// Ends every open visit, the root's included, and stops measuring.
void close_frames(Location& location, std::uint64_t now_ticks);

} // namespace andes
