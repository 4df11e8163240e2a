// BlockedSignals: during the life of such an object no signal handler runs in this thread but those of faults. A
// handler may never return to the code that it interrupts: it may longjmp, or end or cancel the thread. Then a
// lock of the monitor would stay taken. For short work off the hot path: it costs two system calls.
//
// The kernel is called directly: the functions of the C library do not block the signal by which it cancels threads. A
// thread that is being cancelled also ends where it calls open, write and similar functions: that is deferred, too.
#pragma once
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <initializer_list>

namespace andes::monitor {

class BlockedSignals {
public:
  BlockedSignals() {
    change(all_but_faults(), &before_);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state_);
  }
  ~BlockedSignals() {
    change(before_, nullptr);
    pthread_setcancelstate(cancel_state_, nullptr); // the thread may end here, if it was cancelled meanwhile
  }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

private:
  static constexpr std::uint64_t all_but_faults() {
    std::uint64_t mask = ~std::uint64_t{0};
    for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT})
      mask &= ~(std::uint64_t{1} << (fault - 1));
    return mask;
  }

  static void change(std::uint64_t mask, std::uint64_t* before) {
    const int saved_errno = errno;
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask, before, sizeof mask);
    errno = saved_errno;
  }

  std::uint64_t before_ = 0; // the thread's mask
  int cancel_state_ = PTHREAD_CANCEL_ENABLE;
};

} // namespace andes::monitor
