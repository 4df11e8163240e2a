/* A known number of page faults: in the region "touch" pages are touched for the first time, in "again" once more. Argument:
 * how many, in each of 3 rounds. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "monitor/interface/andes.h"

static void touch(volatile char *begin, long pages, long bytes) {
  for (long i = 0; i < pages; ++i) begin[i * bytes] = 1;
}

static void first(volatile char *begin, long pages, long bytes) {
  ANDES_REGION("touch");
  touch(begin, pages, bytes);
}

static void later(volatile char *begin, long pages, long bytes) {
  ANDES_REGION("again");
  touch(begin, pages, bytes);
}

int main(int argc, char **argv) {
  const long pages = argc > 1 ? atol(argv[1]) : 300, bytes = sysconf(_SC_PAGESIZE);
  for (int round = 0; round < 3; ++round) {
    char *memory = mmap(NULL, (size_t)(pages * bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return 1;
    madvise(memory, (size_t)(pages * bytes), MADV_NOHUGEPAGE);
    first(memory, pages, bytes);
    later(memory, pages, bytes);
    munmap(memory, (size_t)(pages * bytes));
  }
  puts("counted: done");
  return 0;
}
