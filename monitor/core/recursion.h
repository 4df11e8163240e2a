// A short slow path for recursion through other functions: the part of open_visit and close_visit (visit.h) that a
// visit needs which is folded into an open call path. Except for the first visit that leads back to the open call
// path, the visits of such a recursion take this path; it costs two readings of the clock and little more. Direct
// recursion never leaves the probe.
//
// Invariants:
//  - no guard against re-entry: probes in signal handlers may interrupt these functions anywhere, as they may the
//    fast path of probe.h, and they leave frames and sums as they were. So a frame is complete before it becomes the
//    innermost one, and sums change in one instruction;
//  - used only where the fast path is allowed: its clock, no counters (Process::fast_visits);
//  - neither function closes or opens a way in the tree (tree.h): a frame that needs this takes the long slow
//    path, in and out.
#pragma once
#include "monitor/core/location.h"

namespace andes::monitor {

/// Puts a visit of the node on top; `stack` is above stack_low.
[[gnu::always_inline]] inline andes_frame* push_short(andes_location* hot, const andes_node& node, std::uint32_t bits,
                                                      std::uintptr_t stack, std::uintptr_t caller) {
  andes_frame& frame = hot->top[1];
  frame.stack = stack;
  frame.caller = caller;
  frame.place = node.place;
  frame.bits = bits;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  hot->top = &frame;
  hot->innermost = node.place;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  frame.place = node.place; // stored again: a signal handler may have used the frame
  frame.bits = bits;
  frame.enter_ticks = ANDES_TICKS();
  return &frame;
}

/// Opens the visit of a function at `stack`, called from `caller`. Null: the visit needs the long slow path.
[[gnu::always_inline]] inline andes_frame* enter_folded(Location& location, const andes_site& site,
                                                        std::uintptr_t stack, std::uintptr_t caller) {
  andes_location* hot = location.hot;
  const std::uint32_t region = __atomic_load_n(&site.region, __ATOMIC_RELAXED);
  if (region >= ANDES_REGIONS || site.kind == ANDES_KIND_TASK) return nullptr;
  andes_frame* top = hot->top;
  const andes_entry entry = *ANDES_ENTRY_AT(hot, top->place, region);
  if (entry.parent != top->place || (entry.child & ANDES_ENTRY_MASK) != ANDES_ENTRY_FOLDED) return nullptr;
  andes_node& node = *ANDES_NODE_AT(hot, entry.child & ~ANDES_ENTRY_MASK);
  stack -= hot->stack_low; // stack_low lies beyond all addresses while nothing is measured
  if (stack >= top->stack || node.countdown <= 0 || node.bits != 0 || top + 1 >= location.short_frames) return nullptr;
  if (!is_closed(location.tree, innermost(location), location.tree.number(node))) return nullptr;
  add_at_once(node.countdown, -1);
  return push_short(hot, node, ANDES_FRAME_FOLDED, stack, caller);
}

/// Leaves the visit. False: it needs the long slow path.
[[gnu::always_inline]] inline bool leave_folded(Location& location, andes_frame* frame) {
  Tree& tree = location.tree;
  if (location.hot->top != frame || frame->bits != ANDES_FRAME_FOLDED) return false;
  const andes_frame& below = frame[-1];
  if (below.bits & (ANDES_FRAME_UNTIMED | ANDES_FRAME_SAMPLE)) return false;
  const auto ticks = static_cast<std::int64_t>(ANDES_TICKS() - frame->enter_ticks);
  add_at_once(tree.accounts[innermost(location)].moved_ticks, ticks);
  add_at_once(tree.accounts[tree.number(tree.node_at(below.place))].moved_ticks, -ticks);
  set_top(location, frame - 1);
  return true;
}

} // namespace andes::monitor
