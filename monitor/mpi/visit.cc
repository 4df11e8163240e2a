// The slow path into a visit of an MPI call: if the innermost open frame is an MPI call itself, the
// MPI library makes the call, not the program. Defined once for all wrappers; it replaces probe.h's
// definition, which is weak.
//
// With setting call_sites every visit takes this path: the site of the calling place is entered, so a
// wrapper's own site never gets a region. Without the setting the fast path has no additional instruction.
#define andes_enter_slow andes_enter_slow_of_programs
#define andes_leave_slow andes_leave_slow_of_programs
#include "monitor/mpi/visit.h"
#undef andes_enter_slow
#undef andes_leave_slow
#include "monitor/core/counted_visits.h"

extern "C" __attribute__((visibility("hidden"), noinline, cold)) andes_frame* andes_enter_slow(andes_site* site,
                                                                                               std::uintptr_t stack,
                                                                                               std::uintptr_t caller) {
  using namespace andes::monitor;
  if (andes_frame* frame = enter_counted(andes_here, *site, stack, caller)) return frame; // never inside an MPI call
  if (mpi::inside(stack)) return nullptr;
  site = andes_call_site(site, caller);
  return andes_enter_call(site, stack, caller, &andes_here);
}

extern "C" __attribute__((visibility("hidden"), noinline, cold)) void andes_leave_slow(andes_frame* frame) {
  andes_leave_call(frame);
}

namespace andes::monitor::mpi {

__thread std::uintptr_t unmeasured_call __attribute__((tls_model("initial-exec")));

Visit leave_slow(andes_frame* frame) {
  if (!frame) {
    unmeasured_call = 0;
    return {};
  }
  // The lowest bit of the pointer is set if the clock is not the time stamp counter.
  const auto address = reinterpret_cast<std::uintptr_t>(frame) & ~std::uintptr_t{1};
  const andes_frame opened = *reinterpret_cast<andes_frame*>(address);
  Visit visit = {ANDES_NODE_AT(andes_here.location, opened.place),
                 static_cast<andes_location_data*>(andes_here.location->data), opened.enter_ticks, 0};
  const std::uint64_t before_ticks = visit.node->inclusive_ticks;
  if (opened.bits & ANDES_FRAME_UNTIMED) { // only counted: its time is not known
    andes_leave(frame); // which has a short way for it
    return {};
  }
  andes_leave_call(frame);
  visit.ticks = visit.node->inclusive_ticks - before_ticks;
  if (visit.ticks == 0) visit.ticks = andes_ticks_now() - opened.enter_ticks; // sampled or folded: told elsewhere
  visit.location->library_ticks += visit.ticks;
  return visit;
}

} // namespace andes::monitor::mpi
