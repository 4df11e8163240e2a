/* count_calls.h: counts instructions by callgrind: a loop of CALLS rounds, then one of twice as many, the
 * counts of each dumped under a name. The difference of the two is CALLS rounds and nothing else: neither
 * start nor the loops' own ends nor the first calls, which resolve symbols and register sites. */
#ifndef ANDES_TESTS_COUNTS_COUNT_CALLS_H
#define ANDES_TESTS_COUNTS_COUNT_CALLS_H

#include <valgrind/callgrind.h>

enum { CALLS = 2000 };

/** `rounds(context, n)` does n rounds. The name is read by count.py. */
static inline void count_calls(const char *name, void (*rounds)(void *, long), void *context) {
  rounds(context, 10);
  CALLGRIND_DUMP_STATS_AT("");
  rounds(context, CALLS);
  CALLGRIND_DUMP_STATS_AT(name);
  rounds(context, 2 * CALLS);
  CALLGRIND_DUMP_STATS_AT(name);
}

#endif
