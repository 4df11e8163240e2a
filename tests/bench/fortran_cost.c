/* What probes in Fortran cost: ten procedures called from one, with probes and without in turns, the smallest of many
 * rounds each, beside two reads of the clock. Started by bench_fortran, once per mode; arguments: its name, and the bound
 * in readings or, with a third argument, in nanoseconds. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "monitor/interface/probe.h"

extern void bare_ten_(int64_t *x);
extern void probed_ten_(int64_t *x);

enum { rounds = 6000, times = 200, pairs = 10 * times };

static double now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

static double least(double a, double b) { return a < b ? a : b; }

int main(int count, char **words) {
  double bare_ns = 1e9, probed_ns = 1e9, reads_ns = 1e9, pair_ns, bound_ns;
  int64_t x = 0;
  if (count < 3) return 2;
  for (int round = 0; round < rounds; round++) {
    const double begin_ns = now_ns();
    for (int i = 0; i < times; i++) bare_ten_(&x);
    const double between_ns = now_ns();
    for (int i = 0; i < times; i++) probed_ten_(&x);
    const double after_ns = now_ns();
    for (int i = 0; i < pairs; i++) x += (int64_t)(ANDES_TICKS() ^ ANDES_TICKS());
    reads_ns = least(reads_ns, (now_ns() - after_ns) / pairs);
    bare_ns = least(bare_ns, (between_ns - begin_ns) / pairs);
    probed_ns = least(probed_ns, (after_ns - between_ns) / pairs);
  }
  pair_ns = probed_ns - bare_ns;
  bound_ns = atof(words[2]) * (count > 3 ? 1 : reads_ns);
  printf("probe in Fortran, %s: %.2f ns; two clock reads: %.2f ns; ratio %.2f; bound %.2f ns%s\n", words[1], pair_ns,
         reads_ns, pair_ns / reads_ns, bound_ns, pair_ns > bound_ns ? " MISS" : "");
  return pair_ns > bound_ns || x == 1;
}
