// Calls of sched_yield arrive here (but thrd_yield of C11 does not) and are counted, but for those that MPI libraries
// make in measured calls. A thread that yields its core between two polls of MPI waits (monitor/mpi/polling.h). Nothing
// else tells that where nobody else wants the core: yielding then takes as long as a little computation.
#include <dlfcn.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "monitor/core/this_thread.h"

namespace {

int (*next)(); // the C library's, or that of a library of user-level threads; null before this library has started

__attribute__((constructor)) void find_next() { next = reinterpret_cast<int (*)()>(dlsym(RTLD_NEXT, "sched_yield")); }

} // namespace

extern "C" __attribute__((visibility("default"))) int sched_yield() noexcept {
  andes::monitor::Location* location = andes::monitor::this_thread.location;
  if (location && !ANDES_KIND_IS_MPI(ANDES_NODE_AT(location->hot, location->hot->top->place)->kind)) ++location->yields;
  return next ? next() : static_cast<int>(syscall(SYS_sched_yield));
}
