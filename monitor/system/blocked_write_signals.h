// Signals that writing may raise: SIGXFSZ beyond the limit for files, SIGPIPE where nobody reads standard
// error. They would end the program for what the monitor writes. While one of these objects lives they are
// held back from this thread, so that the call that raised them fails with EFBIG or EPIPE; what came
// meanwhile is taken away, what was waiting before is left.
#pragma once
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

namespace andes {

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
    while (sigtimedwait(&held_, nullptr, &no_time) > 0) {
    }
    if (sigismember(&before_, SIGXFSZ)) sigdelset(&held_, SIGXFSZ);
    if (sigismember(&before_, SIGPIPE)) sigdelset(&held_, SIGPIPE);
    pthread_sigmask(SIG_UNBLOCK, &held_, nullptr); // and no others: the mask may be an BlockedSignals one
    errno = saved_errno;
  }
  BlockedWriteSignals(const BlockedWriteSignals&) = delete;
  BlockedWriteSignals& operator=(const BlockedWriteSignals&) = delete;

private:
  sigset_t held_, before_; // what came while it was held; the thread's mask
};

} // namespace andes
