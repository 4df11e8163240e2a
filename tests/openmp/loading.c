/* Opens the libraries that it is given, each for itself alone, and has each of them run a region of two threads, by
 * turns. Prints what they return: 3. */
#include <dlfcn.h>
#include <stdio.h>

int main(int count, char** arguments) {
  for (int turn = 0; turn < 3; turn++)
    for (int i = 1; i < count; i++) {
      void* library = dlopen(arguments[i], RTLD_NOW | RTLD_LOCAL);
      int (*work)(void);
      if (!library) return puts(dlerror()), 1;
      *(void**)&work = dlsym(library, "work");
      printf("%d\n", work());
    }
  return 0;
}
