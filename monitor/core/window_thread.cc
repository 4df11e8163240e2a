#include "monitor/core/window_thread.h"

#include <linux/futex.h>
#include <sched.h>
#include <sys/prctl.h>

#include "monitor/core/process.h"
#include "monitor/system/floating_point.h"
#include "monitor/system/memory.h"
#include "monitor/system/system_call.h"
#include "monitor/system/thread_time.h"

namespace andes::monitor {
namespace {

constexpr std::size_t stack_bytes = 64 << 10;

/// The thread's id while it lives; the kernel clears it at the thread's end and wakes the threads that wait for that.
std::int32_t thread_id;
/// Futex word: it changes to wake the thread.
std::uint32_t wake_ups;

void wait(const void* word, std::uint32_t while_it_is, double longest_ns) {
  timespec time = {static_cast<time_t>(longest_ns / 1e9), 0};
  time.tv_nsec = static_cast<long>(longest_ns - static_cast<double>(time.tv_sec) * 1e9);
  system_call(SYS_futex, reinterpret_cast<long>(word), FUTEX_WAIT, static_cast<long>(while_it_is),
              reinterpret_cast<long>(&time));
}

// Not with thread sanitizer, which keeps its own thread-local data.
#if (defined(__x86_64__) || defined(__aarch64__)) && !defined(__SANITIZE_THREAD__)
int open_windows(void* of_process) {
  Process& process = *static_cast<Process*>(of_process);
  const KeepFloatingPoint keep_floating_point; // the thread that made this one handed its own down
  const double ns_per_tick = 1e6 / process.costs.ticks_per_ms;
  system_call(SYS_prctl, PR_SET_TIMERSLACK, 1000);
  WindowStepper self = {static_cast<std::int32_t>(system_call(SYS_gettid, 0)), 0};
  for (;;) {
    const std::uint32_t woken = __atomic_load_n(&wake_ups, __ATOMIC_ACQUIRE);
    const std::uint64_t due_ticks = step_windows(process, self, ticks_now(process.clock));
    if (due_ticks == 0) return 0;
    if (are_samples_due(process, ticks_now(process.clock))) {
      prepare_samples(process, self.thread_id);
      self.until_ns = thread_cpu_ns(self.thread_id); // is spent once
      continue;
    }
    store_relaxed(process.windows.thread_ns, self.until_ns);
    const auto left = static_cast<std::int64_t>(due_ticks - ticks_now(process.clock));
    if (left > 0) wait(&wake_ups, woken, static_cast<double>(left) * ns_per_tick);
  }
}

bool begin(Process& process) {
  static void* stack; // never freed: a child of a fork uses its copy
  if (!stack && !(stack = reserve(stack_bytes))) return false;
  const int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM |
                    CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID;
  return clone(open_windows, static_cast<char*>(stack) + stack_bytes, flags, &process, &thread_id, nullptr,
               &thread_id) > 0;
}
#else
bool begin(Process&) { return false; }
#endif

} // namespace

bool start_window_thread(Process& process) {
  const int saved_errno = errno;
  thread_id = 0;
  const bool begun = begin(process);
  errno = saved_errno;
  return begun;
}

void wake_window_thread() {
  __atomic_fetch_add(&wake_ups, 1, __ATOMIC_RELEASE);
  system_call(SYS_futex, reinterpret_cast<long>(&wake_ups), FUTEX_WAKE, 1, 0);
}

void join_window_thread() {
  wake_window_thread();
  constexpr int longest_waits = 100;
  for (int waits = 0; waits < longest_waits; ++waits) {
    const std::int32_t still = __atomic_load_n(&thread_id, __ATOMIC_ACQUIRE);
    if (still == 0) return;
    wait(&thread_id, static_cast<std::uint32_t>(still), 1e7);
  }
}

} // namespace andes::monitor
