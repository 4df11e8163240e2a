// What the programs of these tests share.
#pragma once
#include <time.h>

#include <cstdio>
#include <cstdlib>

/// Has a probe of its own.
#define FUNCTION [[gnu::noinline]]

namespace {

double now_s() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void need(bool condition, const char* what) {
  if (condition) return;
  std::printf("failed: %s\n", what);
  std::fflush(stdout);
  std::_Exit(99);
}

FUNCTION void sleeps(double seconds) {
  timespec rest = {static_cast<time_t>(seconds), static_cast<long>(1e9 * (seconds - static_cast<time_t>(seconds)))};
  while (nanosleep(&rest, &rest) != 0) {}
}

} // namespace
