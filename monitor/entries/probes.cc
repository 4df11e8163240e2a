// The functions that probes call when their fast path does not suffice: entering and leaving by the slow path.
#include "monitor/core/counted_visits.h"
#include "monitor/core/far_visits.h"
#include "monitor/core/function_samples.h"
#include "monitor/core/recursion.h"
#include "monitor/core/this_thread.h"
#include "monitor/core/visit.h"
#include "monitor/entries/marks.h"
#include "monitor/entries/tagged_frame.h"
#include "monitor/entries/wide_vectors.h"
#include "monitor/entries/wrappers.h"
#include "monitor/life/threads.h"
#include "monitor/system/functions.h"

namespace andes::monitor {
namespace {

[[gnu::noinline]] andes_frame* enter_any(andes_site* site, std::uintptr_t stack, std::uintptr_t caller,
                                         andes_view* view) {
  ReentryGuard inside;
  if (!inside) {
    note_missed(site);
    return nullptr;
  }
  Location* location = view->regions != 0 ? this_thread.location : attach_module(view);
  if (!location) return nullptr;
  andes_frame* frame = open_visit(the_process, *location, site, stack, caller);
  return !frame || view->regions != 0 ? frame : tagged(frame);
}

andes_frame* untagged(andes_frame* frame) {
  return reinterpret_cast<andes_frame*>(reinterpret_cast<std::uintptr_t>(frame) & ~slow_leave);
}

// What it takes to keep vector registers is no part of the visit.
void begin_later(andes_frame* frame, std::uint64_t ticks) {
  frame = untagged(frame);
  if (ticks != 0 && frame && this_thread.location && frame == this_thread.location->hot->top &&
      !(frame->bits & ANDES_FRAME_UNTIMED))
    frame->enter_ticks += ticks;
}

// The address in the program that the probe's stub jumps back to (probe.h, ANDES_STUB): it lies where the return
// address lies that belongs to the frame pointer, which is the stub's but for functions of probe.h between that have
// one of their own.
[[gnu::no_sanitize("address")]] std::uintptr_t probe_above(const std::uintptr_t* frame, std::uintptr_t until) {
  constexpr int most_frames = 4;
  for (int i = 0; i < most_frames; ++i) {
    const std::uintptr_t above = frame[0];
    if (above <= reinterpret_cast<std::uintptr_t>(frame) || above >= until || above % sizeof above != 0) return 0;
    frame = reinterpret_cast<const std::uintptr_t*>(above);
    if (target_of_jump(frame[1]) != 0) return frame[1];
  }
  return 0;
}

// Notes which function the probe lies in, once for each call path.
void note_probe(andes_frame* frame, const void* own, std::uintptr_t stack) {
  frame = untagged(frame);
  if (!frame || !this_thread.location || frame != this_thread.location->hot->top) return;
  Location& location = *this_thread.location;
  const std::uint32_t node = innermost(location);
  if (location.tree.accounts[node].function != function_not_asked) return;
  note_function(location, node, probe_above(static_cast<const std::uintptr_t*>(own), stack));
}

andes_frame* enter(andes_site* site, std::uintptr_t stack, std::uintptr_t caller, andes_view* view) {
  if (andes_frame* frame = enter_counted(*view, *site, stack, caller)) return frame;
  if (view->regions != 0 && this_thread.location) {
    if (andes_frame* frame = enter_folded(*this_thread.location, *site, stack, caller)) return frame;
    if (andes_frame* frame = enter_far(the_process, *this_thread.location, *site, stack, caller)) return frame;
  }
  andes_frame* frame = nullptr;
  const void* const own = __builtin_frame_address(0);
  const std::uint64_t ticks = keeping_registers([&](std::uint64_t) {
    frame = enter_any(site, stack, caller, view);
    note_probe(frame, own, stack);
  });
  begin_later(frame, ticks);
  return frame;
}

[[gnu::noinline]] void leave_any(andes_frame* frame) {
  frame = untagged(frame);
  ReentryGuard inside; // a visit opened by a signal handler is closed even inside the monitor
  if (this_thread.location) close_visit(the_process, *this_thread.location, frame, !inside);
}

void leave(andes_frame* frame) {
  if (!the_process.fast_visits || !this_thread.location ||
      (!leave_folded(*this_thread.location, frame) && !leave_far(*this_thread.location, frame)))
    keeping_registers([&](std::uint64_t ticks) {
      begin_later(frame, ticks);
      leave_any(frame);
    });
}

} // namespace
} // namespace andes::monitor

using namespace andes::monitor;

extern "C" __attribute__((visibility("default"))) andes_frame* andes_enter_call(andes_site* site, std::uintptr_t stack,
                                                                                std::uintptr_t caller,
                                                                                andes_view* view) {
  if (andes_frame* frame = enter_counted(*view, *site, stack, caller)) return frame;
  if (view->regions != 0 && this_thread.location)
    if (andes_frame* frame = enter_far(the_process, *this_thread.location, *site, stack, caller)) return frame;
  return enter_any(site, stack, caller, view);
}

extern "C" __attribute__((visibility("default"))) void andes_leave_call(andes_frame* frame) {
  if (!the_process.fast_visits || !this_thread.location || !leave_far(*this_thread.location, frame)) leave_any(frame);
}

extern "C" __attribute__((visibility("default"))) const andes_monitor andes_monitor = {
    ANDES_PROBE_VERSION, 0,           enter, leave, named_site, enter_phase, begin_mark, end_mark, attach_value,
    control_measuring,   is_measuring};
