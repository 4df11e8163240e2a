// A short slow path for visits below hidden frames (hidden_frames.h): the part of open_visit, path_of_call and
// close_visit (visit.h) that such a visit needs once its call path is known. Programs in which hot, closed functions
// now and then call MPI, or functions that do so, enter all of these here.
//
// Invariants are those of recursion.h: no guard against re-entry, the clock of the fast path and no counters, and a
// frame is complete before it becomes the innermost one. A thread that is held (held_threads.h) takes the long slow
// path, where it waits.
#pragma once
#include "monitor/core/hidden_frames.h"
#include "monitor/core/process.h"
#include "monitor/core/recursion.h"

namespace andes::monitor {

/// Number of the call path of a visit below hidden frames; 0: it needs the long slow path.
inline std::uint32_t far_path(const Process& process, const Location& location, const Entered& entered) {
  const andes_location* hot = location.hot;
  // stack_low lies beyond all addresses while nothing is measured. Whether an MPI call that is innermost is still open
  // the long slow path finds out.
  if (entered.stack - hot->stack_low >= hot->top->stack || location.sides) return 0;
  if (ANDES_KIND_IS_MPI(location.tree.node_at(hot->top->place).kind)) return 0;
  return known_call(process, location, entered);
}

/// Opens such a visit, which is exact. Null: it needs the long slow path.
inline andes_frame* enter_far(const Process& process, Location& location, const andes_site& site, std::uintptr_t stack,
                              std::uintptr_t caller) {
  andes_location* hot = location.hot;
  const std::uint32_t region = __atomic_load_n(&site.region, __ATOMIC_RELAXED);
  if (region >= ANDES_REGIONS || site.kind == ANDES_KIND_TASK || hot->top + 1 >= location.short_frames) return nullptr;
  const std::uint32_t path = far_path(process, location, {region, site.kind, stack, caller});
  if (path == 0) return nullptr;
  andes_node& node = location.tree.node(path);
  const std::uint32_t bits = load_relaxed(node.bits); // windows set them, too
  if (node.countdown <= 0 || node.folds != 0 || (bits & ~std::uint32_t{ANDES_FRAME_INSIDE}) != 0) return nullptr;
  charge_known_call(process, location, path);
  add_at_once(node.countdown, -1);
  return push_short(hot, node, bits | ANDES_FRAME_FAR, stack - location.stack_low, caller);
}

/// Leaves a visit that is far from the one below it, or called from one that is not exact. False: it needs the long
/// slow path.
inline bool leave_far(Location& location, andes_frame* frame) {
  constexpr std::uint32_t short_bits = ANDES_FRAME_FAR | ANDES_FRAME_INSIDE;
  if (location.hot->top != frame || (frame->bits & ~short_bits) != 0) return false;
  if (location.sides || location.call_tables || __atomic_load_n(&location.held, __ATOMIC_RELAXED)) return false;
  Tree& tree = location.tree;
  andes_node& node = tree.node_at(frame->place);
  andes_frame& below = frame[-1];
  const std::uint32_t from = tree.number(tree.node_at(below.place));
  if ((frame->bits & ANDES_FRAME_FAR) && !is_above(tree, from, node.parent)) return false;
  const std::uint64_t ticks = ANDES_TICKS() - frame->enter_ticks;
  node.inclusive_ticks += ticks;
  if (frame->bits & ANDES_FRAME_FAR)
    for (std::uint32_t above = node.parent; above != from; above = tree.node(above).parent)
      tree.node(above).inclusive_ticks += ticks;
  tell_below(below, ticks);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  set_top(location, frame - 1);
  return true;
}

} // namespace andes::monitor
