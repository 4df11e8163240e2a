// Visits in signal handlers that have interrupted the monitor: noted, and counted when the monitor's work is done.
#include "monitor/core/here.h"
#include "monitor/core/visit.h"

namespace andes {

void note_missed(andes_site* site) {
  if (site->region == ANDES_REGION_OFF || here.in_papi) return;
  for (MissedVisits& visits : here.missed_visits)
    if (visits.count == 0 || visits.site == site) {
      visits.site = site;
      ++visits.count;
      here.missed = true;
      return;
    }
}

void count_missed() {
  here.missed = false;
  for (MissedVisits& visits : here.missed_visits)
    for (; visits.count > 0; --visits.count) {
      if (!here.location || !here.location->in_use) continue;
      // The visit gets the place of the innermost frame, as if it were inlined there.
      const andes_frame& top = *here.location->hot->top;
      andes_frame* frame = open_visit(the_process, *here.location, visits.site,
                                      top.stack + here.location->stack_low, top.caller);
      if (frame) close_visit(the_process, *here.location, frame);
    }
}

} // namespace andes
