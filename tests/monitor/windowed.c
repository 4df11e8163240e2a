/* Functions far too hot to count, one of which now and then calls a longer one. Prints how often each was called.
 *
 *   windowed SECONDS [THREADS]    THREADS that call them all the time, and others that come and go, in the place of main
 */
#include <pthread.h>
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

enum { APPENDS = 100000 /* for each delivery */, SENDS = 100000 /* in a phase */ };
static __thread unsigned long state = 88172645463325252ul;
static __thread long appends, deliveries;
static long all_phases, all_deliveries;

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

static void *run(void *end_s) {
  do {
    phase(SENDS);
    other_phase(SENDS);
    __atomic_fetch_add(&all_phases, 1, __ATOMIC_RELAXED);
  } while (now_s() < *(const double *)end_s);
  __atomic_fetch_add(&all_deliveries, deliveries, __ATOMIC_RELAXED);
  return NULL;
}

int main(int argc, char **argv) {
  double end_s = now_s() + (argc > 1 ? atof(argv[1]) : 1), at_once = 0;
  const int count = argc > 2 ? atoi(argv[2]) : 0;
  pthread_t threads[8], brief;
  if (count == 0) run(&end_s);
  for (int i = 0; i < count; i++) pthread_create(&threads[i], NULL, run, &end_s);
  while (count > 0 && now_s() < end_s) pthread_create(&brief, NULL, run, &at_once), pthread_join(brief, NULL);
  for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
  printf("%ld %ld %ld %ld %lu\n", all_phases, all_phases * SENDS, all_phases * SENDS, all_deliveries, state & 1);
  return 0;
}
