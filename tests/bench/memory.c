/* Meets ever new call paths, far more than a call tree may hold, and recursions deeper than any stack of
 * frames; then prints its resident memory in bytes: anonymous pages, and those of files
 * in memory, where arenas lie. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "monitor/interface/probe.h"

enum { SITES = 300, DEEP = 40000 };
static struct andes_site sites[SITES];
static char names[SITES][8];

__attribute__((noinline)) static void path(int depth, unsigned long *random) {
  if (depth == 0) return;
  *random ^= *random << 13, *random ^= *random >> 7, *random ^= *random << 17;
  ANDES_PROBE(&sites[*random % SITES])
  path(depth - 1, random);
  __asm__ volatile("");
}

__attribute__((noinline)) static void odd(int depth);
__attribute__((noinline)) static void even(int depth) {
  ANDES_PROBE(&sites[0])
  if (depth > 0) odd(depth - 1);
  __asm__ volatile("");
}
__attribute__((noinline)) static void odd(int depth) {
  ANDES_PROBE(&sites[1])
  if (depth > 0) even(depth - 1);
  __asm__ volatile("");
}

static long resident_bytes(void) {
  char line[256];
  long kilobytes = 0, all = 0;
  FILE *file = fopen("/proc/self/status", "r");
  while (file && fgets(line, sizeof line, file))
    if (sscanf(line, "RssAnon: %ld kB", &kilobytes) == 1 || sscanf(line, "RssShmem: %ld kB", &kilobytes) == 1)
      all += kilobytes;
  if (file) fclose(file);
  return 1024 * all;
}

int main(void) {
  unsigned long random = 88172645463325252ul;
  for (int i = 0; i < SITES; i++) {
    snprintf(names[i], sizeof names[i], "f%d", i);
    const struct andes_site site = ANDES_SITE(names[i], "memory.c", 1, ANDES_KIND_FUNCTION);
    memcpy(&sites[i], &site, sizeof site);
  }
  for (int i = 0; i < 400000; i++) path(6, &random);
  even(DEEP);
  printf("%ld\n", resident_bytes());
  return 0;
}
