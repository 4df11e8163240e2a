// Work of the monitor that nobody will go on with. A handler stands below what it has interrupted, on the same
// stack or on one that the system knows as its own; what begins above unfinished work on the thread's own stack
// shows that the work was jumped over. On stacks of user-level threads nothing of the kind can be told: another
// one may have been put in the place of one that will go on.
#include "monitor/core/here.h"

#include <signal.h>

#include "monitor/core/side_stacks.h"

namespace andes {

bool is_abandoned(std::uintptr_t place) {
  Location* location = here.location;
  if (!location || place < here.inside) return false;
  const Stack own = own_stack(*location);
  if (here.inside < own.low || place >= own.high) return false;
  stack_t of_handlers;
  if (sigaltstack(nullptr, &of_handlers) != 0 || of_handlers.ss_flags & SS_ONSTACK) return false;
  location->at_work = false;
  settle_tree(location->tree);
  return true;
}

} // namespace andes
