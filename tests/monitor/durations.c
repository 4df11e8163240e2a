/* Functions whose visits take times that are known: constant, of two lengths, lognormal, with periods of 1 ms, 10 ms
 * and 1 s, and of a phase that changes; 1 us in the mean. Each looks at the clock itself until its time is over, and
 * adds up how long that took: what other threads do on its core is in it. What a call takes beyond that is measured with
 * a twin without a probe, before the functions are called and in between: an end of the run without visits would be a phase of
 * the program that no function is meant to have. Prints, for each function, its name, its visits
 * and their time in ns. For coverage.py.
 *
 *   durations SECONDS SEED */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "monitor/interface/probe.h"

static double ns_per_tick, lengths_ns[50];
static uint64_t begin_ticks, state;
static int attempts = 20; /* of a look at the twins */

static double clock_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

static uint64_t ticks_now(void) {
#ifdef __x86_64__
  return __builtin_ia32_rdtsc();
#else
  return (uint64_t)clock_ns();
#endif
}

static double uniform(void) { /* in (0, 1) */
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return ((double)(state >> 12) + 0.5) / 4503599627370496.0;
}

static double normal(void) { return sqrt(-2 * log(uniform())) * cos(2 * 3.14159265358979 * uniform()); }

/* 500 or 1500 ns, by the half of the period that the run is in. */
static double of_period(double period_ms) {
  const double ms = (double)(ticks_now() - begin_ticks) * ns_per_tick / 1e6;
  return fmod(ms, period_ms) < period_ms / 2 ? 500 : 1500;
}

/* Phases of 0.4 s, three lengths in turn. */
static double of_phase(void) {
  static const double lengths_ns[] = {400, 1000, 1600};
  return lengths_ns[(int)((double)(ticks_now() - begin_ticks) * ns_per_tick / 4e8) % 3];
}

struct known {
  uint64_t visits, ticks;
  double beyond_ticks; /* in a call, but not between its looks at the clock: least of some attempts */
};

static void spend(struct known* known, double ns) {
  const uint64_t begin = ticks_now(), length = (uint64_t)(ns / ns_per_tick);
  uint64_t now;
  while ((now = ticks_now()) - begin < length) {
  }
  known->visits++;
  known->ticks += now - begin;
}

#define EACH(X)                                         \
  X(constant, 1000)                                     \
  X(bimodal, uniform() < 0.9 ? 500 : 5500)              \
  X(lognormal, 1000 / exp(0.5) * exp(normal()))         \
  X(period_1_ms, of_period(1))                          \
  X(period_10_ms, of_period(10))                        \
  X(period_1_s, of_period(1000))                        \
  X(phases, of_phase())
#define DEFINE(name, length)                                                                   \
  static struct andes_site site_##name = ANDES_SITE(#name, "durations.c", 1, ANDES_KIND_FUNCTION); \
  static struct known known_##name;                                                            \
  __attribute__((noinline)) static void name(double ns) {                                      \
    ANDES_PROBE(&site_##name)                                                                  \
    spend(&known_##name, ns);                                                                  \
  }                                                                                            \
  __attribute__((noinline)) static void twin_of_##name(struct known* known, double ns) { spend(known, ns); }
#define CALL(name, length) \
  for (int i = 0; i < 50; i++) name(length);
#define CALL_TWIN(name, length)                                                                \
  for (int attempt = 0; attempt < attempts; attempt++) {                                       \
    struct known twin = {0, 0, 0};                                                             \
    for (int i = 0; i < 50; i++) lengths_ns[i] = length;                                       \
    const uint64_t begin = ticks_now();                                                        \
    for (int i = 0; i < 50; i++) twin_of_##name(&twin, lengths_ns[i]);                         \
    const double beyond = (double)(ticks_now() - begin - twin.ticks) / (double)twin.visits;    \
    if (known_##name.beyond_ticks == 0 || beyond < known_##name.beyond_ticks) known_##name.beyond_ticks = beyond; \
  }
#define PRINT(name, length)                                                                    \
  printf("%s %lu %.0f\n", #name, (unsigned long)known_##name.visits,                           \
         ((double)known_##name.ticks + (double)known_##name.visits * known_##name.beyond_ticks) * ns_per_tick);
EACH(DEFINE)

int main(int count, char** words) {
  if (count != 3) return 2;
  const double seconds = atof(words[1]);
  state = 88172645463325252ull ^ (uint64_t)atol(words[2]) << 20;
  const double from_ns = clock_ns();
  begin_ticks = ticks_now();
  while (clock_ns() - from_ns < 2e7) {
  }
  ns_per_tick = (clock_ns() - from_ns) / (double)(ticks_now() - begin_ticks);
  EACH(CALL_TWIN)
  attempts = 1;
  for (int round = 1; clock_ns() - from_ns < 1e9 * seconds; round++) {
    EACH(CALL)
    if (round % 128 == 0) {
      EACH(CALL_TWIN)
    }
  }
  EACH(PRINT)
  return 0;
}
