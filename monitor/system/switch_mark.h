// Switch mark: tells a thread whether it has lost its core since it last looked, for the price of a load.
//
// The kernel and the C library share a record for each thread (rseq(2), linux/rseq.h; registered by glibc 2.35 and
// later), whose field `rseq_cs` points to the description of a piece of code that must not be interrupted. Whenever a
// thread gets a core back, or is to handle a signal, and is not within this code, the kernel sets the field to null. So
// the field is set to the description of no code at all, and is null after the next switch.
//
// A program that uses the field itself overwrites the mark; then the thread seems to have been switched, and asks the
// kernel for numbers (thread_switches()). The program loses nothing: its own code of this kind calls no functions, and
// where a signal handler has probes, the kernel has sent the code that it interrupted back to its beginning before.
#pragma once
#include <sys/resource.h>
#include <sys/syscall.h>

#include <cstdint>

#include "monitor/system/relaxed.h"
#include "monitor/system/system_call.h"

namespace andes::monitor {

/// The calling thread's field; null where there is none (an older C library or kernel, an unknown processor).
std::uint64_t* switch_mark_of_this_thread();

/// As the kernel has it: struct rseq_cs.
struct alignas(32) UninterruptedCode {
  std::uint32_t version, flags;
  std::uint64_t begin, bytes, interrupted_goes_to;
};
extern UninterruptedCode no_code;

inline bool is_marked(const std::uint64_t& field) {
  return load_relaxed(field) == reinterpret_cast<std::uintptr_t>(&no_code);
}
inline void set_mark(std::uint64_t& field) {
  store_relaxed<std::uint64_t>(field, reinterpret_cast<std::uintptr_t>(&no_code));
}

/// How often the calling thread has given up its core to wait for something, and how often it has lost it while it
/// could have gone on (by sched_yield, too).
struct ThreadSwitches {
  std::int64_t voluntary = 0, involuntary = 0;
};
inline ThreadSwitches thread_switches() {
  rusage usage = {};
  system_call(SYS_getrusage, RUSAGE_THREAD, reinterpret_cast<long>(&usage), 0, 0);
  return {usage.ru_nvcsw, usage.ru_nivcsw};
}

} // namespace andes::monitor
