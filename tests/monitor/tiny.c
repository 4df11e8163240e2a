/* Two functions too hot to count, of which one takes about four times as long as the other, by turns; for so many seconds of
 * processor time. Between their calls a function without a probe calls a third one. Without seconds: prints for each of the three
 * how long it takes here, as the difference to a loop that does not call it. With THREADS the first two are a parallel region's own
 * code, into which the third is inlined. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "monitor/interface/probe.h"

#define PLACE(name) static struct andes_site site_##name = ANDES_SITE(#name, "tiny.c", 1, ANDES_KIND_FUNCTION);
PLACE(all)
#ifndef THREADS
PLACE(light)
#endif
PLACE(heavy)
PLACE(behind)
#define FUNCTION __attribute__((noinline)) static void
#ifdef INLINED /* the three are inlined into the loop, and windows take the first for longer than it is */
#define INNER __attribute__((always_inline)) static inline void
#define LIGHT 1
#else
#define INNER FUNCTION
#define LIGHT 10
#endif
static unsigned long state = 1;
#ifdef THREADS
#pragma omp threadprivate(state)
#endif
/* Operations that wait for each other: so many take so long, whatever is around. */
#define WORK(rounds)                                                   \
  for (int work = 0; work < (rounds); work++) {                        \
    state = state * 6364136223846793005ul + 1442695040888963407ul;     \
    __asm__ volatile("" : "+r"(state));                                \
  }

FUNCTION without_probe(void) { WORK(10) __asm__ volatile(""); }
#ifdef THREADS
static struct andes_site site_region = ANDES_SITE("heavy", "tiny.c", 1, ANDES_KIND_PARALLEL);
INNER light(void) { WORK(LIGHT) }
INNER heavy(void) { WORK(40) }
#else
static volatile int is_rare = 1;

/* What is called rarely, so far as the compiler knows: it puts the code around such a call behind all other functions. */
__attribute__((noinline, cold)) static void rare(void) { __asm__ volatile(""); }
INNER light(void) { ANDES_PROBE(&site_light) WORK(LIGHT) }
INNER heavy(void) {
  ANDES_PROBE(&site_heavy)
  if (is_rare) {
    rare();
    WORK(40)
  }
}
#endif
INNER behind(void) { ANDES_PROBE(&site_behind) WORK(10) without_probe(); }
FUNCTION all(long times) { ANDES_PROBE(&site_all) for (long i = 0; i < times; i++) light(), heavy(), behind(); }
#ifdef THREADS
FUNCTION in_threads(long times) {
  ANDES_PROBE(&site_region)
#pragma omp parallel num_threads(2)
  for (long i = 0; i < times; i++) light(), heavy(), behind();
}
#else
#define in_threads all
#endif

FUNCTION without_light(long times) { for (long i = 0; i < times; i++) heavy(), behind(); }
FUNCTION without_heavy(long times) { for (long i = 0; i < times; i++) light(), behind(); }
FUNCTION without_behind(long times) { for (long i = 0; i < times; i++) light(), heavy(); }

static double least_s(void (*loop)(long)) {
  double least = 1e9;
  for (int i = 0; i < 20; i++) {
    const clock_t begin = clock();
    loop(100000);
    const double took_s = (double)(clock() - begin) / CLOCKS_PER_SEC;
    if (took_s < least) least = took_s;
  }
  return least;
}

int main(int argc, char **argv) {
  if (argc == 1) {
    const double all_s = least_s(all);
    printf("%.9f %.9f %.9f\n", all_s - least_s(without_light), all_s - least_s(without_behind), all_s - least_s(without_heavy));
    return 0;
  }
  const double limit_s = atof(argv[1]);
  while ((double)clock() / CLOCKS_PER_SEC < limit_s) in_threads(100000);
  return (int)(state & 0);
}
