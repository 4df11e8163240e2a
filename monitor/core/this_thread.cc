// Finds work of the monitor that a jump has abandoned. A signal handler stands below the code it has interrupted, on
// the same stack or on the alternate stack that the system knows. So a probe that stands above unfinished work, on
// the thread's own stack, proves that a jump has left the work; so does a probe on the thread's own stack while the
// work was a handler's, on the alternate stack. Nothing follows from places on stacks of user-level threads: another
// one may run now while the one with the work will go on later.
#include "monitor/core/this_thread.h"

#include <signal.h>

#include "monitor/core/side_stacks.h"

namespace andes::monitor {

__thread ThreadState this_thread __attribute__((tls_model("initial-exec")));

bool is_abandoned(std::uintptr_t place) {
  Location* location = this_thread.location;
  if (!location) return false;
  const Stack own = own_stack(*location);
  const auto is_own = [&](std::uintptr_t address) { return address >= own.low && address < own.high; };
  stack_t of_handlers;
  if (!is_own(place) || sigaltstack(nullptr, &of_handlers) != 0 || of_handlers.ss_flags & SS_ONSTACK) return false;
  const bool by_handler =
      this_thread.inside - reinterpret_cast<std::uintptr_t>(of_handlers.ss_sp) < of_handlers.ss_size;
  if (is_own(this_thread.inside) ? place < this_thread.inside : !by_handler) return false;
  location->at_work = false;
  repair_tree(location->tree);
  repair_side_stacks(*location);
  return true;
}

} // namespace andes::monitor
