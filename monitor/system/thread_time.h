// Thread time: core time of a thread of this process, as counted by the kernel; any thread of the process may ask.
#pragma once
#include <sys/syscall.h>
#include <time.h>

#include <cstdint>

#include "monitor/system/system_call.h"

namespace andes::monitor {

/// Nanoseconds; 0: there is no such thread. The clock's number is that of pthread_getcpuclockid(3), which needs a
/// pthread_t and so the thread itself.
inline double thread_cpu_ns(std::int32_t thread_id) {
  constexpr long per_thread = 4, scheduled = 2;
  timespec time = {};
  const long clock = (~static_cast<long>(thread_id) << 3) | per_thread | scheduled;
  if (thread_id <= 0 || system_call(SYS_clock_gettime, clock, reinterpret_cast<long>(&time), 0, 0) != 0) return 0;
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

} // namespace andes::monitor
