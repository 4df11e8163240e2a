/* What the compilers' hooks cost with the monitor: ten functions called from one, with hooks and without in
   turns, the smallest of many rounds each, beside two reads of the clock. Started by bench_hooks, once per
   mode, whose name is the argument. */
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "monitor/interface/probe.h"

#define BARE __attribute__((noinline, no_instrument_function))
#define HOOKED __attribute__((noinline))
#define TEN(kind, name)                                                                        \
  kind uint64_t name##0(uint64_t x) { __asm__ volatile("" : "+r"(x)); return x + 1; }          \
  kind uint64_t name##1(uint64_t x) { __asm__ volatile("" : "+r"(x)); return x + 2; }          \
  kind uint64_t name##2(uint64_t x) { __asm__ volatile("" : "+r"(x)); return x + 3; }          \
  kind uint64_t name##3(uint64_t x) { __asm__ volatile("" : "+r"(x)); return x + 4; }          \
  kind uint64_t name##4(uint64_t x) { __asm__ volatile("" : "+r"(x)); return x + 5; }          \
  kind uint64_t name##_ten(uint64_t x) {                                                       \
    x = name##0(x), x = name##1(x), x = name##2(x), x = name##3(x), x = name##4(x);            \
    x = name##0(x), x = name##1(x), x = name##2(x), x = name##3(x);                            \
    return x + 1;                                                                              \
  }
TEN(BARE, bare)
TEN(HOOKED, hooked)

enum { rounds = 4000, times = 200, pairs = 10 * times };

BARE static double now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

BARE static double least(double a, double b) { return a < b ? a : b; }

BARE int main(int count, char **names) {
  double bare_ns = 1e9, hooked_ns = 1e9, reads_ns = 1e9;
  volatile uint64_t result = 0;
  for (int round = 0; round < rounds; round++) {
    uint64_t x = result;
    const double begin_ns = now_ns();
    for (int i = 0; i < times; i++) x = bare_ten(x);
    const double between_ns = now_ns();
    for (int i = 0; i < times; i++) x = hooked_ten(x);
    const double after_ns = now_ns();
    for (int i = 0; i < pairs; i++) x += ANDES_TICKS() ^ ANDES_TICKS();
    reads_ns = least(reads_ns, (now_ns() - after_ns) / pairs);
    bare_ns = least(bare_ns, (between_ns - begin_ns) / pairs);
    hooked_ns = least(hooked_ns, (after_ns - between_ns) / pairs);
    result = x;
  }
  printf("pair of hooks, %s: %.2f ns; two clock reads: %.2f ns; ratio %.2f\n", count > 1 ? names[1] : "",
         hooked_ns - bare_ns, reads_ns, (hooked_ns - bare_ns) / reads_ns);
  return 0;
}
