// Visits by the slow path: what probe.h leaves to a function call, between the probe and the
// location. The fast path needs a call path that it has met, below the one that is open now.
#pragma once
#include "monitor/core/held_threads.h"
#include "monitor/core/location.h"
#include "monitor/core/process.h"
#include "monitor/core/side_stacks.h"

namespace andes {

/// Number of the site's region, also while that is closed. Under process_lock.
std::uint32_t number_of(Process& process, const andes_site& site);

/// The same; ANDES_REGION_OFF while the region is closed.
std::uint32_t region_of(Process& process, andes_site* site);

/// Whether the innermost visit is of a call of MPI that was left without notice, as what begins at `stack` tells: a call of
/// MPI itself (`is_call`) or not.
bool call_is_left(const Location& location, std::uintptr_t stack, bool is_call);

/// Enters `site` at stack position `stack`, called from `caller`; null: not measured, or no frame of
/// its own. Never inside itself (a probe in a signal handler is not measured then).
andes_frame* open_visit(Process& process, Location& location, andes_site* site, std::uintptr_t stack,
                        std::uintptr_t caller);

/// The call path of a call of MPI of which no visit is opened, since its region is closed; node_root: not measured.
std::uint32_t path_of_call(Process& process, Location& location, std::uint32_t region, std::uintptr_t stack,
                           std::uintptr_t caller);

/// Leaves it, and all above it. `inside`: the monitor is at work in this thread, interrupted by the signal handler that has
/// opened the visit; that can only be on the stack that runs, which stays so.
inline void close_visit(const Process& process, Location& location, andes_frame* frame, bool inside = false) {
  const std::uint64_t now_ticks = ticks_now(process.clock);
  const AtWork at_work(location);
  if (!location.in_use) return;
  const bool may_switch = location.sides && !inside;
  if (may_switch) switch_to_stack_of(location, frame, now_ticks);
  pop_frames(location, frame, now_ticks);
  if (may_switch) forget_empty_stack(location, now_ticks);
}

} // namespace andes
