#include "monitor/clock/clock.h"

#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace andes::monitor {
namespace {

std::int64_t realtime_ns() {
  timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

/// The name of the kernel's clock source, as it knows it.
struct ClockSource {
  char name[64] = {};

  ClockSource() {
    const int file = open("/sys/devices/system/clocksource/clocksource0/current_clocksource", O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    const ssize_t got = read(file, name, sizeof name - 1);
    close(file);
    if (got <= 0 || name[got - 1] != '\n') name[0] = 0;
    else name[got - 1] = 0;
  }
  bool is(const char* other) const { return strcmp(name, other) == 0; }
};

#if defined(__x86_64__)
bool processor_says_invariant() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(0x80000007u, &a, &b, &c, &d) != 0 && (d & (1u << 8)) != 0;
}

/// The fastest of a few calls, as others may have the core in between.
template <class Call> std::uint64_t ticks_of(Call call) {
  std::uint64_t least = ~0ull;
  for (int i = 0; i < 8; ++i) {
    const std::uint64_t before = ANDES_TICKS();
    call();
    const std::uint64_t took = ANDES_TICKS() - before;
    if (took < least) least = took;
  }
  return least;
}

/// Whether the C library reads the kernel's clock without a system call, in a fraction of the time that one takes: else
/// it makes one itself.
bool kernel_is_not_called() {
  timespec time;
  const std::uint64_t library = ticks_of([&] { clock_gettime(CLOCK_MONOTONIC, &time); });
  const std::uint64_t call = ticks_of([&] { syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &time); });
  return library < call / 3 * 2;
}
#endif

} // namespace

bool counter_is_safe() {
#if defined(__x86_64__)
  if (!processor_says_invariant()) return false;
  const ClockSource source;
  return source.is("tsc") || (source.is("kvm-clock") && kernel_is_not_called());
#elif defined(__aarch64__)
  return ClockSource().is("arch_sys_counter"); // the architecture has it invariant, and one for all cores
#else
  return false;
#endif
}

Anchor take_anchor(const Clock& clock) {
  Anchor best;
  std::uint64_t narrowest = ~0ull;
  for (int i = 0; i < 5; ++i) {
    std::uint64_t before = ticks_now(clock);
    std::int64_t monotonic = monotonic_ns();
    std::int64_t realtime = realtime_ns();
    std::uint64_t after = ticks_now(clock);
    if (after - before >= narrowest) continue;
    narrowest = after - before;
    best = {before + (after - before) / 2, monotonic, realtime};
  }
  return best;
}

void choose_clock(Clock& clock, bool tsc_allowed) {
  if (tsc_allowed && counter_is_safe()) return;
  clock.kind = ClockKind::monotonic;
  clock.start.ticks = static_cast<std::uint64_t>(clock.start.monotonic_ns);
}

} // namespace andes::monitor
