/* Two functions too hot to count, of which one takes four times as long as the other, by turns; for so many seconds of processor
 * time. Between their calls a function without a probe calls a third one. */
#include <stdlib.h>
#include <time.h>

#include "monitor/interface/probe.h"

#define PLACE(name) static struct andes_site site_##name = ANDES_SITE(#name, "tiny.c", 1, ANDES_KIND_FUNCTION);
PLACE(all)
PLACE(light)
PLACE(heavy)
PLACE(behind)
#define FUNCTION __attribute__((noinline)) static void
/* Operations that wait for each other: so many take so long, whatever is around. */
#define WORK(rounds)                                                   \
  for (int work = 0; work < (rounds); work++) {                        \
    state = state * 6364136223846793005ul + 1442695040888963407ul;     \
    __asm__ volatile("" : "+r"(state));                                \
  }

static unsigned long state = 1;

FUNCTION without_probe(void) { WORK(10) __asm__ volatile(""); }
FUNCTION light(void) { ANDES_PROBE(&site_light) WORK(10) }
FUNCTION heavy(void) { ANDES_PROBE(&site_heavy) WORK(40) }
FUNCTION behind(void) { ANDES_PROBE(&site_behind) WORK(10) without_probe(); }
FUNCTION all(long times) { ANDES_PROBE(&site_all) for (long i = 0; i < times; i++) light(), heavy(), behind(); }

int main(int argc, char **argv) {
  const double limit_s = argc > 1 ? atof(argv[1]) : 1;
  while ((double)clock() / CLOCKS_PER_SEC < limit_s) all(100000);
  return (int)(state & 0);
}
