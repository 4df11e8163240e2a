/* Computes for a second of the clock, and prints for how many nanoseconds the kernel had it wait for a core meanwhile. */
#include <stdio.h>
#include <time.h>

#include "monitor/interface/probe.h"

static struct andes_site site_compute = ANDES_SITE("compute", "core_wait.c", 1, ANDES_KIND_FUNCTION);

static double now_s(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static long long waited_ns(void) {
  long long ran = 0, waited = 0;
  FILE* file = fopen("/proc/self/schedstat", "r");
  if (!file) return 0;
  if (fscanf(file, "%lld %lld", &ran, &waited) != 2) waited = 0;
  fclose(file);
  return waited;
}

__attribute__((noinline)) static long long compute(void) {
  ANDES_PROBE(&site_compute)
  const long long before = waited_ns();
  const double end = now_s() + 1;
  while (now_s() < end) {
  }
  return waited_ns() - before;
}

int main(void) {
  printf("%lld\n", compute());
  return 0;
}
