/* Work that takes the same time on every machine: it sleeps instead of computing. */
#ifndef ANDES_CASES_WORK_H
#define ANDES_CASES_WORK_H
#include <time.h>

static inline void work(double ms) {
  const struct timespec length = {(time_t)(ms / 1000), (long)((ms - 1000.0 * (long)(ms / 1000)) * 1e6)};
  nanosleep(&length, NULL);
}

#endif
