/* What a pair of probes costs while events are counted, beside two readings of PAPI and of the clock: the readings first, by an
 * event set of the program's own, which is gone before the first probe starts the monitor. Started by
 * bench_counters, which names the event; with the argument "none" only the pair is measured. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "monitor/interface/probe.h"

#ifdef WITH_SDE
#include <sde_lib.h>
static __thread long long counted;
static long long own(void *none) {
  (void)none;
  return counted;
}
static void register_events(void) {
  papi_sde_register_counter_cb(papi_sde_init("tests"), "own", PAPI_SDE_RO | PAPI_SDE_DELTA, PAPI_SDE_long_long, own, NULL);
}
static const char event[] = "sde:::tests::own";
#else
static void register_events(void) {}
static const char event[] = "fake:::work";
#endif

int PAPI_get_opt(int option, void *value);
int PAPI_library_init(int version);
int PAPI_event_name_to_code(const char *name, int *code);
int PAPI_create_eventset(int *set);
int PAPI_add_event(int set, int code);
int PAPI_start(int set);
int PAPI_read(int set, long long *values);
int PAPI_stop(int set, long long *values);
int PAPI_cleanup_eventset(int set);
int PAPI_destroy_eventset(int *set);

static struct andes_site sites[] = {ANDES_SITE("all", "counter_cost.c", 1, ANDES_KIND_FUNCTION),
                                    ANDES_SITE("one", "counter_cost.c", 2, ANDES_KIND_FUNCTION)};

enum { rounds = 400, times = 1000 };

static double now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

__attribute__((noinline)) static void bare(void) { __asm__ volatile(""); }
__attribute__((noinline)) static void one(void) {
  ANDES_PROBE(&sites[1])
  __asm__ volatile("");
}

static double two_clock_reads_ns(void) {
  double least_ns = 1e9;
  volatile uint64_t result = 0;
  for (int round = 0; round < rounds; ++round) {
    uint64_t sum = result;
    const double begin_ns = now_ns();
    for (int i = 0; i < times; ++i) sum += ANDES_TICKS() ^ ANDES_TICKS();
    const double ns = (now_ns() - begin_ns) / times;
    least_ns = ns < least_ns ? ns : least_ns;
    result = sum;
  }
  return least_ns;
}

static double two_readings_ns(void) {
  double least_ns = 1e9;
  int set = -1, code = 0;
  long long value;
  PAPI_library_init(PAPI_get_opt(21, NULL) & ~0xffff);
  if (PAPI_event_name_to_code(event, &code) != 0 || PAPI_create_eventset(&set) != 0 || PAPI_add_event(set, code) != 0 ||
      PAPI_start(set) != 0)
    return -1;
  for (int round = 0; round < rounds; ++round) {
    const double begin_ns = now_ns();
    for (int i = 0; i < times; ++i) PAPI_read(set, &value);
    const double ns = (now_ns() - begin_ns) / times;
    least_ns = ns < least_ns ? ns : least_ns;
  }
  PAPI_stop(set, &value);
  PAPI_cleanup_eventset(set);
  PAPI_destroy_eventset(&set);
  return 2 * least_ns;
}

static double pair_ns(void) {
  ANDES_PROBE(&sites[0])
  double least_bare_ns = 1e9, least_ns = 1e9;
  for (int round = 0; round < rounds; ++round) {
    const double begin_ns = now_ns();
    for (int i = 0; i < times; ++i) bare();
    const double between_ns = now_ns();
    for (int i = 0; i < times; ++i) one();
    const double bare_ns = (between_ns - begin_ns) / times, probed_ns = (now_ns() - between_ns) / times;
    least_bare_ns = bare_ns < least_bare_ns ? bare_ns : least_bare_ns;
    least_ns = probed_ns < least_ns ? probed_ns : least_ns;
  }
  return least_ns - least_bare_ns;
}

int main(int count, char **arguments) {
  const char *what = count > 1 ? arguments[1] : event;
  register_events();
  if (strcmp(what, "none") == 0) {
    printf("probe pair, nothing counted: %.1f ns\n", pair_ns());
    return 0;
  }
  const double readings_ns = two_readings_ns(), clock_ns = two_clock_reads_ns(), ns = pair_ns();
  if (readings_ns <= 0) return 2;
  const double ratio = (ns - readings_ns) / clock_ns;
  const int pass = ratio < 6;
  printf("probe pair, %s: %.1f ns; two readings: %.1f ns; the rest is %.2f times two clock reads (%.1f ns), bound 6.00: %s\n",
         event, ns, readings_ns, ratio, clock_ns, pass ? "PASS" : "MISS");
  return !pass;
}
