/* Opens and closes two modules by turns, each of which calls its functions until they are closed. Exit status 3: they did not lie
 * at the same addresses. Usage: unloaded FIRST SECOND */
#include <dlfcn.h>
#include <stdlib.h>

#include "monitor/interface/probe.h"

static struct andes_site site = ANDES_SITE("main", "unloaded.c", 1, ANDES_KIND_FUNCTION);

int main(int argc, char **argv) {
  ANDES_PROBE(&site)
  if (argc != 3) return 2;
  void *place[2] = {0, 0};
  int elsewhere = 0;
  for (int turn = 0; turn < 40; turn++) {
    void *library = dlopen(argv[1 + turn % 2], RTLD_NOW | RTLD_LOCAL);
    if (!library) return 2;
    void *outer = dlsym(library, "outer");
    for (int i = 0; i < 40; i++) ((void (*)(int))outer)(8000);
    place[turn % 2] = outer;
    elsewhere |= turn > 0 && place[0] != place[1];
    dlclose(library);
  }
  return elsewhere ? 3 : 0;
}
