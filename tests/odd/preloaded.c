/* preloaded.c: another tool in LD_PRELOAD: it counts calls of write and stands before what the C library has. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

static int writes;
ssize_t write(int file, const void *data, size_t bytes) {
  static ssize_t (*real)(int, const void *, size_t);
  if (!real) real = (ssize_t(*)(int, const void *, size_t))(uintptr_t)dlsym(RTLD_NEXT, "write");
  writes++;
  return real(file, data, bytes);
}
int tool_writes(void);
int tool_writes(void) { return writes; }
