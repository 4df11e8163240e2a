// Visits by the slow path: the function calls of probe.h, between the probe and the location. The
// fast path serves only call paths that were met before, below the one that is open now.
#pragma once
#include "monitor/core/closed_recursion.h"
#include "monitor/core/held_threads.h"
#include "monitor/core/location.h"
#include "monitor/core/side_stacks.h"
#include "monitor/core/window_cost.h"

namespace andes::monitor {

/// Number of the site's region, even while the region is closed. Under process_lock.
std::uint32_t number_of(Process& process, const andes_site& site);

/// The same; ANDES_REGION_OFF while the region is closed.
std::uint32_t region_of(Process& process, andes_site* site);

/// Whether the innermost visit is of an MPI call that was left without notice, judged by a visit that begins at `stack`
/// and is an MPI call itself (`is_call`) or not.
bool call_is_left(const Location& location, std::uintptr_t stack, bool is_call);

/// Enters `site` at stack position `stack`, called from `caller`; null: not measured, or no frame of
/// its own. Not re-entrant: a probe in a signal handler that interrupts it is not measured.
andes_frame* open_visit(Process& process, Location& location, andes_site* site, std::uintptr_t stack,
                        std::uintptr_t caller);

/// The call path of an MPI call whose region is closed, so that no visit is opened; node_root: not measured.
std::uint32_t path_of_call(Process& process, Location& location, std::uint32_t region, std::uintptr_t stack,
                           std::uintptr_t caller);

/// Leaves the visit and all visits above it. `inside`: a signal handler has opened the visit while it interrupted the
/// monitor in this thread; then the visit is on the running stack, which stays the running one.
inline void close_visit(const Process& process, Location& location, andes_frame* frame, bool inside = false) {
  const std::uint64_t now_ticks = ticks_now(process.clock);
  const AtWork at_work(location);
  if (!location.in_use) return;
  const bool may_switch = location.sides && !inside;
  if (may_switch) switch_to_stack_of(location, frame, now_ticks);
  const bool is_recursion = location.hot->top == frame && (frame->bits & ANDES_FRAME_RECURSION);
  pop_frames(location, frame, now_ticks);
  if (may_switch) forget_empty_stack(location, now_ticks);
  const double work_ticks = end_window_work(process, location, now_ticks);
  if (is_recursion) take_out_of_timed(location, location.hot->top, work_ticks);
}

} // namespace andes::monitor
