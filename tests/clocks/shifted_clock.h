// A clock that is wrong on purpose. Included before everything else in the test's build of the monitor,
// this header gives each rank the counter, the kernel's clock and the host name that the variable
// CLOCKS_OF_RANKS says: entries HOST:DRIFT_PPM:SHIFT_S, one per rank, separated by commas.
//
// Both clocks run fast by the drift and ahead by the shift; the truth is what `true_ticks` gives back. One machine
// has one clock: without this, synchronisation would be tested with an offset of 0, which doing nothing also finds.
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct ShiftedClock {
  double rate = 1, shift_s = 0;
  char host[32] = "";
};

inline ShiftedClock read_shifted_clock() {
  ShiftedClock clock;
  const char* rank = getenv("OMPI_COMM_WORLD_RANK");
  if (!rank) rank = getenv("PMI_RANK");
  const char* entry = getenv("CLOCKS_OF_RANKS");
  for (int skip = rank ? atoi(rank) : 0; entry && skip > 0; --skip)
    if ((entry = strchr(entry, ','))) ++entry;
  double drift_ppm = 0;
  if (entry && sscanf(entry, "%31[^:]:%lf:%lf", clock.host, &drift_ppm, &clock.shift_s) == 3)
    clock.rate = 1 + drift_ppm * 1e-6;
  return clock;
}

inline const ShiftedClock& shifted_clock() {
  static const ShiftedClock clock = read_shifted_clock();
  return clock;
}

// A whole number and a fraction apart: a double alone would round the counter.
inline long long shifted(long long time, double units_per_s) {
  const ShiftedClock& clock = shifted_clock();
  return time + static_cast<long long>(static_cast<double>(time) * (clock.rate - 1)) +
         static_cast<long long>(clock.shift_s * units_per_s);
}

constexpr double ticks_shift_per_s = 2e9;

inline unsigned long shifted_ticks() {
  return static_cast<unsigned long>(shifted(static_cast<long long>(__builtin_ia32_rdtsc()), ticks_shift_per_s));
}

inline int shifted_gettime(clockid_t id, timespec* time) {
  const int result = clock_gettime(id, time);
  if (id != CLOCK_MONOTONIC || result != 0) return result;
  const long long ns = shifted(time->tv_sec * 1000000000ll + time->tv_nsec, 1e9);
  time->tv_sec = ns / 1000000000;
  time->tv_nsec = ns % 1000000000;
  return 0;
}

inline int shifted_gethostname(char* name, size_t size) {
  if (!*shifted_clock().host) return gethostname(name, size);
  snprintf(name, size, "%s", shifted_clock().host);
  return 0;
}

/// The counter (or, for nanoseconds, the kernel's clock) that everybody shares, at shifted `time`.
inline long double true_time(unsigned long time, double units_per_s) {
  const ShiftedClock& clock = shifted_clock();
  const auto shift = static_cast<long double>(static_cast<long long>(clock.shift_s * units_per_s));
  return (static_cast<long double>(time) - shift) / static_cast<long double>(clock.rate);
}

#define ANDES_TICKS() shifted_ticks()
#define clock_gettime(id, time) shifted_gettime(id, time)
#define gethostname(name, size) shifted_gethostname(name, size)
