// A short slow path for visits that are only counted, where probes may not read the clock themselves
// (Process::fast_visits): such visits need no clock, and the probe ends them. It does what the fast path of probe.h
// does, under the same invariants. On the long slow path a counted visit takes as long as a timed one, several times
// the work of a short function: windows would tell little of how often that is visited (decision 303).
#pragma once
#include "monitor/core/location.h"

namespace andes::monitor {

/// Opens such a visit. Null: the visit needs another path, as in a thread that has not met the module yet.
inline andes_frame* enter_counted(const andes_view& view, const andes_site& site, std::uintptr_t stack,
                                  std::uintptr_t caller) {
  if (view.regions != 0 || !view.location) return nullptr;
  andes_location& hot = *view.location;
  const std::uint32_t region = __atomic_load_n(&site.region, __ATOMIC_RELAXED);
  if (region >= ANDES_REGIONS) return nullptr;
  const andes_frame& top = *hot.top;
  const andes_entry entry = *ANDES_ENTRY_AT(&hot, top.place, region);
  if (entry.parent != top.place || (entry.child & ANDES_ENTRY_MASK) != ANDES_ENTRY_BITS) return nullptr;
  andes_node& node = *ANDES_NODE_AT(&hot, entry.child & ~ANDES_ENTRY_MASK);
  stack -= hot.stack_low; // stack_low lies beyond all addresses while nothing is measured
  if (stack > top.stack || (stack == top.stack && caller != top.caller)) return nullptr;
  if (load_relaxed(node.bits) != ANDES_FRAME_UNTIMED || node.countdown <= 0) return nullptr;
  add_at_once(node.countdown, -1);
  return put_on_top(hot, {0, node.place, ANDES_FRAME_UNTIMED, stack, caller, 0});
}

} // namespace andes::monitor
