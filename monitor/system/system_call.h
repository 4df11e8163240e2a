// System calls without the C library, which would set errno: for a thread that has no thread-local data of its own
// (window_thread.h).
#pragma once
#include <errno.h>
#include <unistd.h>

namespace andes::monitor {

/// Returns the kernel's result: -errno on error.
inline long system_call(long number, long a, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0) {
#if defined(__x86_64__)
  long result;
  register long fourth __asm__("r10") = d;
  register long fifth __asm__("r8") = e;
  register long sixth __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth), "r"(sixth)
                   : "rcx", "r11", "memory");
  return result;
#elif defined(__aarch64__)
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  register long x4 __asm__("x4") = e;
  register long x5 __asm__("x5") = f;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
  return x0;
#else
  const int saved_errno = errno;
  const long result = syscall(number, a, b, c, d, e, f);
  const long answer = result == -1 ? -errno : result;
  errno = saved_errno;
  return answer;
#endif
}

} // namespace andes::monitor
