/* Known answer: a program without MPI. 100 ms in one(), three times 50 ms in two() below it.
 *
 *   nompi [STATUS]      ends with exit status STATUS (0)
 */
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"

__attribute__((noinline)) static void two(void) { sleep_ms(50); }

__attribute__((noinline)) static void one(void) {
  sleep_ms(100);
  for (int i = 0; i < 3; ++i) two();
}

int main(int argc, char** argv) {
  one();
  printf("nompi: right\n");
  return argc > 1 ? atoi(argv[1]) : 0;
}
