/* A program of small functions, with probes and without, in turns of some thousand calls. Prints how
 * many nanoseconds the calls without probes took in two of three turns, one number each: they differ
 * only by the machine's noise. The run file has those with probes. */
#include <stdio.h>
#include <time.h>

#include "monitor/interface/probe.h"

enum { TURNS = 400, STEPS = 150 }; /* of `all` and, in each, of `step`, which calls `leaf` twice */

#define PLACE(name) static struct andes_site site_##name = ANDES_SITE(#name, "small.c", 1, ANDES_KIND_FUNCTION);
PLACE(all)
PLACE(step)
PLACE(leaf)

static double now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

#define STRETCH(rounds)                          \
  for (int i = 0; i < (rounds); i++) {           \
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;     \
    __asm__ volatile("" : "+r"(x));              \
  }
#define FUNCTIONS(prefix, PROBE)                                                      \
  __attribute__((noinline)) static unsigned long prefix##_leaf(unsigned long x) {     \
    PROBE(leaf) STRETCH(450) return x;                                                 \
  }                                                                                   \
  __attribute__((noinline)) static unsigned long prefix##_step(unsigned long x) {     \
    PROBE(step) STRETCH(600) return prefix##_leaf(x) ^ prefix##_leaf(x + 1);          \
  }                                                                                   \
  __attribute__((noinline)) static unsigned long prefix##_all(unsigned long x) {      \
    PROBE(all)                                                                        \
    for (int i = 0; i < STEPS; i++) x = prefix##_step(x);                              \
    return x;                                                                         \
  }
#define WITH(name) ANDES_PROBE(&site_##name)
#define WITHOUT(name)
FUNCTIONS(probed, WITH)
FUNCTIONS(bare, WITHOUT)

int main(void) {
  unsigned long x = 88172645463325252ul;
  double bare_ns[2] = {0, 0};
  for (int turn = 0; turn < 3 * TURNS; turn++) {
    const double begin_ns = now_ns();
    if (turn % 3 == 2)
      x = probed_all(x);
    else
      x = bare_all(x), bare_ns[turn % 3] += now_ns() - begin_ns;
  }
  printf("%.0f %.0f %lu\n", bare_ns[0], bare_ns[1], x & 1);
  return 0;
}
