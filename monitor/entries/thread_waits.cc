// Waits of a thread for other threads of its process arrive here, under the names of the C library's functions, which
// those of C++ call, too: conditions, barriers, semaphores, the ends of threads. Beside the main thread they are idle.
// The main thread's time is its rank's: while it waits, others compute for the rank, so its waits are call paths of
// their own, but compute (decision 307). Mutexes are left out: most are free, and taken faster than a visit is
// recorded.
//
// Invariants:
//  - only what the program calls is a visit: not what MPI libraries call in measured calls, not what run-time systems
//    of OpenMP call in waits that are known anyway, and nothing in threads that are not measured;
//  - each function is its original in all that programs can tell: results, errno, cancellation.
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#include <initializer_list>

#include "monitor/core/this_thread.h"
#include "monitor/entries/original.h"
#include "monitor/entries/wrappers.h"

namespace andes::monitor {
namespace {

/// A function of the C library, and its call paths.
struct ThreadWait {
  Original original;
  const char* version; // of conditions
  andes_site of_main, of_others;
};

#define ANDES_THREAD_WAIT(name, version)                                                                               \
  {{name, nullptr}, version, ANDES_SITE(name, "", 0, ANDES_KIND_LOCAL), ANDES_SITE(name, "", 0, ANDES_KIND_LOCK)}

ThreadWait cond_wait = ANDES_THREAD_WAIT("pthread_cond_wait", "GLIBC_2.3.2");
ThreadWait cond_timedwait = ANDES_THREAD_WAIT("pthread_cond_timedwait", "GLIBC_2.3.2");
ThreadWait cond_clockwait = ANDES_THREAD_WAIT("pthread_cond_clockwait", nullptr);
ThreadWait barrier_wait = ANDES_THREAD_WAIT("pthread_barrier_wait", nullptr);
ThreadWait thread_join = ANDES_THREAD_WAIT("pthread_join", nullptr);
ThreadWait semaphore_wait = ANDES_THREAD_WAIT("sem_wait", nullptr);
ThreadWait semaphore_timedwait = ANDES_THREAD_WAIT("sem_timedwait", nullptr);

/// Before the program's main: looking a function up may allocate memory.
__attribute__((constructor)) void look_up_originals() {
  for (ThreadWait* wait : {&cond_wait, &cond_timedwait, &cond_clockwait, &barrier_wait, &thread_join, &semaphore_wait,
                           &semaphore_timedwait})
    look_up(wait->original, wait->version);
}

/// Null: not to be recorded.
andes_site* site_of(ThreadWait& wait, std::uintptr_t stack) {
  if (!andes_is_program_call(stack)) return nullptr;
  const Location& location = *this_thread.location;
  if (location.team.phase == TeamPhase::apart ||
      ANDES_KIND_IS_IDLE(location.tree.node_at(location.hot->top->place).kind))
    return nullptr;
  return location.number == 0 && !location.team.region ? &wait.of_main : &wait.of_others;
}

/// Calls the original, in a visit.
template <class... Arguments>
[[gnu::always_inline]] inline int wait_by(ThreadWait& wait, Arguments... arguments) {
  auto* const call = reinterpret_cast<int (*)(Arguments...)>(look_up(wait.original, wait.version));
  if (!call) return ENOSYS;
  andes_site* const site = site_of(wait, ANDES_STACK());
  andes_frame* const frame = site ? andes_enter(site) : nullptr;
  const int result = call(arguments...);
  const int error = errno;
  if (frame) andes_leave(frame);
  errno = error;
  return result;
}

/// Takes a semaphore that is free, which is no wait; as a point at which the thread may be cancelled.
bool take_at_once(sem_t* semaphore) {
  pthread_testcancel();
  const int error = errno;
  const bool taken = sem_trywait(semaphore) == 0;
  if (!taken) errno = error;
  return taken;
}

} // namespace
} // namespace andes::monitor

using namespace andes::monitor;

#define ANDES_EXPORT extern "C" __attribute__((visibility("default")))

ANDES_EXPORT int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  return wait_by(cond_wait, condition, mutex);
}

ANDES_EXPORT int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* until) {
  return wait_by(cond_timedwait, condition, mutex, until);
}

ANDES_EXPORT int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                                        const timespec* until) {
  return wait_by(cond_clockwait, condition, mutex, clock, until);
}

ANDES_EXPORT int pthread_barrier_wait(pthread_barrier_t* barrier) noexcept { return wait_by(barrier_wait, barrier); }

ANDES_EXPORT int pthread_join(pthread_t thread, void** result) { return wait_by(thread_join, thread, result); }

ANDES_EXPORT int sem_wait(sem_t* semaphore) { return take_at_once(semaphore) ? 0 : wait_by(semaphore_wait, semaphore); }

ANDES_EXPORT int sem_timedwait(sem_t* semaphore, const timespec* until) {
  return take_at_once(semaphore) ? 0 : wait_by(semaphore_timedwait, semaphore, until);
}
