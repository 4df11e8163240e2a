// This thread, as the monitor itself sees it, and the guards that every entry into the monitor's slow
// paths takes.
#pragma once
#include <errno.h>

#include "monitor/core/location.h"

namespace andes {

/// Visits of signal handlers that found the monitor at work: counted when it is done.
struct MissedVisits {
  andes_site* site;
  std::uint32_t count;
};

struct Here {
  Location* location;
  std::uintptr_t inside; // the monitor is at work in this thread: a probe in a signal handler must give up. Where its guard stands
  bool ended;
  bool in_papi; // probes in what PAPI calls are not the program's: functions of software that tell counts
  bool held_for_fork; // holds the monitor's locks until its fork is done: it was not in the middle of something
  std::uint32_t unseen_begins; // regions begun and not measured, whose ends are to come (marks.h)
  bool missed; // any of:
  MissedVisits missed_visits[8];
};
extern __thread Here here __attribute__((tls_model("initial-exec")));

void note_missed(andes_site* site);
/// Counts them below what is innermost, as visits that took no time.
void count_missed();

/// Whether the work that this thread is in the middle of will never go on, as `place` on the stack tells: a signal
/// handler has jumped over it, or ends the thread. If so its traces are put right.
bool is_abandoned(std::uintptr_t place);

/// Guards a stretch of the monitor's own work: no re-entry.
class Inside {
public:
  Inside() : entered_(here.inside == 0 || is_abandoned(place())) {
    if (entered_) here.inside = place();
  }
  ~Inside() {
    if (!entered_) return;
    if (__builtin_expect(here.missed, 0)) count_missed();
    here.inside = 0;
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
  explicit operator bool() const { return entered_; }

private:
  std::uintptr_t place() const { return reinterpret_cast<std::uintptr_t>(this); }
  bool entered_;
};

/// errno stays the program's.
class KeepErrno {
public:
  KeepErrno() : errno_(errno) {}
  ~KeepErrno() { errno = errno_; }
  KeepErrno(const KeepErrno&) = delete;
  KeepErrno& operator=(const KeepErrno&) = delete;

private:
  int errno_;
};

} // namespace andes
