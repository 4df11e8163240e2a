/* Opens its arguments one after the other, calls what they hold, and closes them again. */
#include <dlfcn.h>
#include <stdio.h>
int main(int count, char **names) {
  void *first = 0;
  int same = 1;
  for (int i = 1; i + 1 < count; i += 2) {
    void *library = dlopen(names[i], RTLD_NOW);
    int (*function)(int) = library ? (int (*)(int))dlsym(library, names[i + 1]) : 0;
    if (!function) return 1;
    for (int k = 0; k < i; k++) function(k);
    if (!first) first = (void *)function;
    same = same && first == (void *)function;
    dlclose(library);
  }
  puts(same ? "same" : "other");
  return 0;
}
