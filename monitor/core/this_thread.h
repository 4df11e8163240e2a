// The thread-local state of the monitor, and the guards that every entry into the monitor's slow
// paths takes.
#pragma once
#include <errno.h>

#include "monitor/core/location.h"
#include "monitor/system/floating_point.h"

namespace andes::monitor {

/// Visits of signal handlers that found the monitor at work: counted when it is done.
struct MissedVisits {
  andes_site* site;
  std::uint32_t count;
};

struct ThreadState {
  Location* location;
  std::uintptr_t inside; // the address of the guard while the monitor is at work in this thread: then a probe in a
                         // signal handler must give up
  bool ended;
  bool in_papi; // PAPI runs, and with it callbacks of software-defined events: their probes are not the program's
  bool held_for_fork; // this thread holds the monitor's locks until its fork is done: its work was not interrupted
  std::uint32_t unseen_begins; // regions that were begun without being measured and have not ended yet (marks.h)
  bool missed; // there are entries in:
  MissedVisits missed_visits[8];
};
extern __thread ThreadState this_thread __attribute__((tls_model("initial-exec")));

void note_missed(andes_site* site);
/// Counts the missed visits below the innermost open visit, as visits that took no time.
void count_missed();

/// Whether the unfinished work of this thread will never go on, judged by `place` on the stack: a signal handler
/// has jumped out of it, or ends the thread. If so, the structures it left half changed are repaired.
bool is_abandoned(std::uintptr_t place);

/// Guards a section of the monitor's own work against re-entry, and the program's floating-point environment
/// against it.
class ReentryGuard {
public:
  ReentryGuard() : entered_(this_thread.inside == 0 || is_abandoned(place())) {
    if (entered_) this_thread.inside = place();
  }
  ~ReentryGuard() {
    if (!entered_) return;
    // A signal handler may run between the test and the store. Visits that it notes then would be counted at the
    // thread's next slow path, which may never come.
    do {
      this_thread.inside = place();
      while (__builtin_expect(this_thread.missed, 0)) count_missed();
      this_thread.inside = 0;
      __atomic_signal_fence(__ATOMIC_SEQ_CST);
    } while (__builtin_expect(this_thread.missed, 0));
  }
  ReentryGuard(const ReentryGuard&) = delete;
  ReentryGuard& operator=(const ReentryGuard&) = delete;
  explicit operator bool() const { return entered_; }

private:
  std::uintptr_t place() const { return reinterpret_cast<std::uintptr_t>(this); }
  bool entered_;
  KeepFloatingPoint keep_floating_point_;
};

/// Restores the program's errno.
class KeepErrno {
public:
  KeepErrno() : errno_(errno) {}
  ~KeepErrno() { errno = errno_; }
  KeepErrno(const KeepErrno&) = delete;
  KeepErrno& operator=(const KeepErrno&) = delete;

private:
  int errno_;
};

} // namespace andes::monitor
