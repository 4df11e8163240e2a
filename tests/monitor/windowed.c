/* Functions far too hot to count, one of which now and then calls a longer one. Prints how often each was called. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "monitor/interface/probe.h"

#define PLACE(name) static struct andes_site site_##name = ANDES_SITE(#name, "windowed.c", 1, ANDES_KIND_FUNCTION);
PLACE(phase)
PLACE(other_phase)
PLACE(send)
PLACE(append)
PLACE(deliver)
#define FUNCTION __attribute__((noinline)) static void
#define WORK(rounds)                              \
  for (int work = 0; work < (rounds); work++) {   \
    state ^= state << 13, state ^= state >> 7, state ^= state << 17; \
    __asm__ volatile("" : "+r"(state));           \
  }

enum { APPENDS = 100000 }; /* for each delivery */
static unsigned long state = 88172645463325252ul;
static long appends, deliveries;

FUNCTION deliver(void) { ANDES_PROBE(&site_deliver) WORK(20000) deliveries++; }
FUNCTION append(void) { ANDES_PROBE(&site_append) WORK(8) if (++appends % APPENDS == 0) deliver(); }
FUNCTION send(void) { ANDES_PROBE(&site_send) append(); append(); }
FUNCTION phase(long sends) { ANDES_PROBE(&site_phase) for (long i = 0; i < sends; i++) send(); }
FUNCTION other_phase(long sends) { ANDES_PROBE(&site_other_phase) for (long i = 0; i < sends; i++) append(); }

static double now_s(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

int main(int argc, char **argv) {
  const double end_s = now_s() + (argc > 1 ? atof(argv[1]) : 1);
  long sends = 0, others = 0, phases = 0;
  for (; now_s() < end_s; phases++) {
    phase(100000), sends += 100000;
    other_phase(100000), others += 100000;
  }
  printf("%ld %ld %ld %ld %lu\n", phases, sends, others, deliveries, state & 1);
  return 0;
}
