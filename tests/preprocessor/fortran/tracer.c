/* tracer.c: in the place of the monitor, prints the address of each function that is entered, as an
 * offset in its file. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

void __cyg_profile_func_enter(void* function, void* caller) {
  Dl_info info;
  (void)caller;
  if (dladdr(function, &info))
    fprintf(stderr, "enter %lx\n", (unsigned long)((char*)function - (char*)info.dli_fbase));
}

void __cyg_profile_func_exit(void* function, void* caller) {
  (void)function;
  (void)caller;
}
