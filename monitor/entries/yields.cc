// The program's calls of sched_yield arrive here and are counted. A thread that yields its core between two polls of
// MPI waits (monitor/mpi/polling.h); nothing else tells that where nobody else wants the core: yielding is then a call
// of the kernel that takes as long as a little computation.
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "monitor/core/this_thread.h"

extern "C" __attribute__((visibility("default"))) int sched_yield() noexcept {
  if (andes::monitor::this_thread.location) ++andes::monitor::this_thread.location->yields;
  return static_cast<int>(syscall(SYS_sched_yield));
}
