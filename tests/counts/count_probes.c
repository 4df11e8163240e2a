/* count_probes.c: runs the forms of probes under callgrind, with the monitor if it is preloaded. For each a
 * count of itself and of the same function without a probe; count.py subtracts. Ends with _exit: what is
 * recorded here is nobody's. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

#include "monitor/interface/probe.h"
#include "tests/counts/count_calls.h"
#include "tests/counts/probe_forms.h"

static void call(void *context, long n) {
  function *const called = *(function **)context;
  unsigned long x = 0;
  for (long i = 0; i < n; ++i) x = called(x);
  __asm__ volatile("" : : "r"(x));
}

static void count(const char *name, const char *place, function *form) {
  char text[80];
  snprintf(text, sizeof text, "%s, %s", name, place);
  count_calls(text, call, &form);
}

static void count_present(const char *place, struct probe_forms forms, void count_only(void), void close_site(void),
                          const struct andes_monitor *monitor) {
  count("exact", place, forms.leaf);
  count("four visits, two callers in turn", place, forms.two_callers);
  count("four visits, recursion", place, forms.recursion);
  count("hooks, exact", place, forms.hooked);
  monitor->control(0);
  count("switched off", place, forms.leaf);
  monitor->control(1);
  call(&forms.leaf, 1);
  count_only();
  count("counted only", place, forms.leaf);
  close_site();
  count("closed", place, forms.leaf);
}

static void count_absent(const char *place, struct probe_forms forms) {
  count("no monitor", place, forms.leaf);
  count("hooks, no monitor", place, forms.hooked);
}

int main(void) {
  const struct andes_monitor *monitor = dlsym(RTLD_DEFAULT, "andes_monitor");
  const struct probe_forms bare = bare_forms();
  count("bare", "leaf", bare.leaf);
  count("bare", "four visits, two callers in turn", bare.two_callers);
  count("bare", "four visits, recursion", bare.recursion);
  if (monitor) {
    count_present("executable", executable_forms(), executable_count_only, executable_close, monitor);
    count_present("shared object", shared_object_forms(), shared_object_count_only, shared_object_close, monitor);
  } else {
    count_absent("executable", executable_forms());
    count_absent("shared object", shared_object_forms());
  }
  _exit(0);
}
