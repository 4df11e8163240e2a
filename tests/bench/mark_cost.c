/* What the programmer's interface costs: each form of a region around an empty function, and the function bare,
   in turns, the smallest of many rounds each, beside two reads of the clock. Started by bench_marks under the
   monitor and without; bounds: a scope is a probe (docs/cost.md), and without a monitor next to nothing. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "monitor/interface/andes.h"

#define ALONE static __attribute__((noinline))

enum { rounds = 600, times = 400 };

static double now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

ALONE void bare(void) { __asm__ volatile(""); }
ALONE void region(void) {
  ANDES_REGION("region");
  __asm__ volatile("");
}
ALONE void named(void) {
  ANDES_REGION_NAMED("named");
  __asm__ volatile("");
}
ALONE void begun(void) {
  andes_begin("begun");
  __asm__ volatile("");
  andes_end("begun");
}
ALONE void phase(void) {
  ANDES_PHASE("phase");
  __asm__ volatile("");
}
ALONE void value(void) { andes_value("value", 1); }
ALONE void two_reads(void) { __asm__ volatile("" : : "r"(ANDES_TICKS()), "r"(ANDES_TICKS())); }

static const struct {
  const char *name;
  void (*call)(void);
} forms[] = {{"empty function", bare},      {"two clock reads", two_reads}, {"ANDES_REGION", region},
             {"ANDES_REGION_NAMED", named}, {"andes_begin and _end", begun}, {"ANDES_PHASE", phase},
             {"andes_value", value}};
enum { form_count = sizeof forms / sizeof *forms };

static int judge(const char *name, double cost, double bound, const char *of) {
  printf("  %-20s %7.2f %s, bound %.1f: %s\n", name, cost, of, bound, cost <= bound ? "PASS" : "MISS");
  return cost <= bound ? 0 : 1;
}

int main(int count, char **names) {
  const int present = count > 1 && strcmp(names[1], "monitor") == 0;
  double least_ns[form_count];
  int form, missed;
  for (form = 0; form < form_count; form++) least_ns[form] = 1e9;
  for (int round = 0; round < rounds; round++)
    for (form = 0; form < form_count; form++) {
      const double begin_ns = now_ns();
      for (int i = 0; i < times; i++) forms[form].call();
      const double each_ns = (now_ns() - begin_ns) / times;
      if (each_ns < least_ns[form]) least_ns[form] = each_ns;
    }
  printf("%s, ns more than an empty function (%.2f)\n", present ? "with the monitor" : "without a monitor",
         least_ns[0]);
  for (form = 1; form < form_count; form++) printf("  %-20s %7.2f\n", forms[form].name, least_ns[form] - least_ns[0]);
  if (present) {
    const double reads_ns = least_ns[1] - least_ns[0];
    missed = judge("ANDES_REGION", (least_ns[2] - least_ns[0]) / reads_ns, 1.5, "of two clock reads");
  } else {
    missed = 0;
    for (form = 2; form < form_count; form++)
      missed |= judge(forms[form].name, least_ns[form] - least_ns[0], 3, "ns");
  }
  return missed;
}
