// Signals that writing may raise: SIGXFSZ beyond the limit for files, SIGPIPE if standard error has no
// reader. They would end the program because of the monitor's writes. During the life of such an object
// they are blocked in this thread, so that the call that raised them fails with EFBIG or EPIPE; signals
// that arrived meanwhile are removed, signals that were pending before stay.
#pragma once
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

namespace andes::monitor {

class BlockedWriteSignals {
public:
  BlockedWriteSignals() {
    sigemptyset(&held_);
    sigaddset(&held_, SIGXFSZ);
    sigaddset(&held_, SIGPIPE);
    sigset_t waiting;
    sigpending(&waiting);
    if (sigismember(&waiting, SIGXFSZ)) sigdelset(&held_, SIGXFSZ);
    if (sigismember(&waiting, SIGPIPE)) sigdelset(&held_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &held_, &before_);
  }
  ~BlockedWriteSignals() {
    const int saved_errno = errno;
    const timespec no_time = {};
    while (sigtimedwait(&held_, nullptr, &no_time) > 0) {}
    if (sigismember(&before_, SIGXFSZ)) sigdelset(&held_, SIGXFSZ);
    if (sigismember(&before_, SIGPIPE)) sigdelset(&held_, SIGPIPE);
    pthread_sigmask(SIG_UNBLOCK, &held_, nullptr); // and no others: the thread may be under BlockedSignals
    errno = saved_errno;
  }
  BlockedWriteSignals(const BlockedWriteSignals&) = delete;
  BlockedWriteSignals& operator=(const BlockedWriteSignals&) = delete;

private:
  sigset_t held_, before_; // the signals blocked here; the thread's mask before
};

} // namespace andes::monitor
