/* loading.c: libraries with probes that come and go.
 *
 *   loading CASE A B      A and B: loading_a.so and loading_b.so */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <unistd.h>

#include "odd.h"

static char **libraries;

FUNCTION int with(const char *path, int calls) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  NEED(library);
  int (*entry)(int) = (int (*)(int))(uintptr_t)dlsym(library, "entry");
  NEED(entry);
  int sum = 0;
  for (int i = 0; i < calls; i++) sum += entry(i);
  NEED(dlclose(library) == 0);
  return sum;
}
FUNCTION int often(void) {
  int sum = 0;
  for (int i = 0; i < 500; i++) sum += with(libraries[0], 2);
  printf("%d\n", sum);
  return 3;
}
/* The one is loaded where the other has been. */
FUNCTION int in_turns(void) {
  int sum = 0;
  for (int i = 0; i < 200; i++) sum += with(libraries[i % 2], 3);
  printf("%d\n", sum);
  return 3;
}
static void *user(void *path) { return (void *)(intptr_t)with(path, 5); }
FUNCTION int by_threads(void) {
  for (int i = 0; i < 20; i++) {
    pthread_t threads[4];
    for (int k = 0; k < 4; k++)
      NEED(pthread_create(&threads[k], NULL, user, libraries[(i + k) % 2]) == 0);
    for (int k = 0; k < 4; k++) pthread_join(threads[k], NULL);
  }
  return 3;
}
/* Its constructor has probes, and its destructor, at dlclose or at the end of the process. */
FUNCTION int left_open(void) {
  void *library = dlopen(libraries[0], RTLD_NOW | RTLD_GLOBAL);
  NEED(library);
  ((int (*)(int))(uintptr_t)dlsym(RTLD_DEFAULT, "entry"))(1);
  return 3;
}
FUNCTION int other_namespace(void) {
  void *library = dlmopen(LM_ID_NEWLM, libraries[0], RTLD_NOW);
  if (!library) printf("%s\n", dlerror());
  NEED(library);
  const int got = ((int (*)(int))(uintptr_t)dlsym(library, "entry"))(1);
  printf("%d\n", got);
  dlclose(library);
  return 3;
}

int main(int argc, char **argv) {
  static const struct odd_case cases[] = {{"often", often}, {"in_turns", in_turns},
                                          {"by_threads", by_threads}, {"left_open", left_open},
                                          {"other_namespace", other_namespace}};
  NEED(argc > 3);
  libraries = argv + 2;
  RUN_CASE(cases, argv[1]);
}
