// This thread, as the monitor itself sees it, and the guards that every entry into the monitor's slow
// paths takes.
#pragma once
#include <errno.h>

#include "monitor/core/location.h"

namespace andes {

struct Here {
  Location* location;
  bool inside; // the monitor is at work in this thread: a probe in a signal handler must give up
  bool ended;
};
extern __thread Here here __attribute__((tls_model("initial-exec")));

/// Guards a stretch of the monitor's own work: no re-entry.
class Inside {
public:
  Inside() : entered_(!here.inside) { here.inside = true; }
  ~Inside() {
    if (entered_) here.inside = false;
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
  explicit operator bool() const { return entered_; }

private:
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
