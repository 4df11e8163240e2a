// The monitor's clock: raw TSC ticks where that is safe, else CLOCK_MONOTONIC nanoseconds. Ticks
// become nanoseconds at the end only, by one slope through anchors (ticks, monotonic, wall clock)
// taken at the start, at the return of MPI_Init and at the end.
//
// The counter is safe if CPUID says invariant and the kernel itself uses it: the kernel compares the cores and gives
// the counter up if they disagree. In a virtual machine with kvm-clock it does so where it tells the time without being
// called, as it does while the hypervisor says that the counters of all cores agree (decision 305). On AArch64 it is
// the generic timer's, invariant and the same on all cores by the architecture; where it is faulty in a processor, the
// kernel traps the readings of programs and corrects them. The monitor does not move over the cores to compare them
// itself: on a busy machine that took 2 to 10 ms at the start. The anchors still show a counter that runs unevenly
// (`clock_error_ppm`).
#pragma once
#include <time.h>

#include <cstdint>

#include "monitor/interface/probe.h"

namespace andes::monitor {

enum class ClockKind : std::uint32_t { tsc, monotonic };

/// The same instant on three clocks.
struct Anchor {
  std::uint64_t ticks = 0;
  std::int64_t monotonic_ns = 0;
  std::int64_t realtime_ns = 0;
};

struct Clock {
  ClockKind kind = ClockKind::tsc; // until choose_clock() has decided
  Anchor start, init, end; // init.ticks == 0 without MPI
};

/// Nanoseconds of CLOCK_MONOTONIC. Inline: the monitor's libraries share no functions but andes_*.
inline std::int64_t monotonic_ns() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

/// Ticks of `clock` now.
inline std::uint64_t ticks_now(const Clock& clock) {
  return clock.kind == ClockKind::tsc ? ANDES_TICKS() : static_cast<std::uint64_t>(monotonic_ns());
}

/// Reads all three clocks, the closest of a few tries.
Anchor take_anchor(const Clock& clock);

/// Whether ticks of the processor's counter are a clock here, the same one on all cores. Takes some 10 us.
bool counter_is_safe();

/// Decides on the clock: the processor's counter if that is allowed and safe.
/// Called once, before the first ticks are used; `clock.start` may have been taken before.
void choose_clock(Clock& clock, bool tsc_allowed);

} // namespace andes::monitor
