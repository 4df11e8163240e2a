/* What soak.c and limits.c tell of their memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "memory RANK THIRD KILOBYTES": resident, after so many thirds of the work. */
static void say_memory(int rank, int third) {
  char line[256];
  long kilobytes = 0;
  FILE* file = fopen("/proc/self/status", "r");
  while (file && fgets(line, sizeof line, file))
    if (strncmp(line, "VmRSS:", 6) == 0) kilobytes = atol(line + 6);
  if (file) fclose(file);
  printf("memory %d %d %ld\n", rank, third, kilobytes);
  fflush(stdout);
}
