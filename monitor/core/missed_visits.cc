// Visits in signal handlers that have interrupted the monitor: noted, and counted when the monitor's work is done.
#include "monitor/core/this_thread.h"
#include "monitor/core/visit.h"

namespace andes::monitor {

void note_missed(andes_site* site) {
  if (site->region == ANDES_REGION_OFF || this_thread.in_papi) return;
  for (MissedVisits& visits : this_thread.missed_visits)
    if (visits.count == 0 || visits.site == site) {
      visits.site = site;
      ++visits.count;
      this_thread.missed = true;
      return;
    }
}

void count_missed() {
  this_thread.missed = false;
  for (MissedVisits& visits : this_thread.missed_visits) {
    // A handler changes the site of an entry without visits alone.
    if (__atomic_load_n(&visits.count, __ATOMIC_RELAXED) == 0) continue;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    andes_site* const site = visits.site;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    for (std::uint32_t left = __atomic_exchange_n(&visits.count, 0, __ATOMIC_RELAXED); left > 0; --left) {
      if (!this_thread.location || !this_thread.location->in_use) continue;
      // The visit gets the place of the innermost frame, as if it were inlined there.
      const andes_frame& top = *this_thread.location->hot->top;
      andes_frame* frame =
          open_visit(the_process, *this_thread.location, site, top.stack + this_thread.location->stack_low, top.caller);
      if (frame) close_visit(the_process, *this_thread.location, frame);
    }
  }
}

} // namespace andes::monitor
