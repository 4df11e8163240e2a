/* What the odd programs share: a function that must stay one, and some work whose result is printed, so
 * that a run under the monitor can be compared with one without it. */
#ifndef ODD_H
#define ODD_H
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FUNCTION __attribute__((noinline, used)) static

/* Ends a program whose own calls do not do what the case needs. */
#define NEED(condition)                                                                   \
  do {                                                                                    \
    if (!(condition)) {                                                                   \
      printf("line %d: %s: %s\n", __LINE__, #condition, strerror(errno));                 \
      fflush(stdout);                                                                     \
      _Exit(99);                                                                          \
    }                                                                                     \
  } while (0)

struct odd_case {
  const char *name;
  int (*run)(void);
};

/* The case that argv[1] names; 98: there is none of this name. */
#define RUN_CASE(cases, wanted)                                                             \
  do {                                                                                    \
    for (unsigned i_ = 0; i_ < sizeof(cases) / sizeof *(cases); i_++)                     \
      if (!strcmp((cases)[i_].name, (wanted))) return (cases)[i_].run();                    \
    return 98;                                                                            \
  } while (0)

#endif
