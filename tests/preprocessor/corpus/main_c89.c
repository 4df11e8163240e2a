/* flags: -ansi -w */
/* flags: -std=gnu89 -O2 -w */
/* Since C99 main returns 0 where it has no return; before, what the last call has left in a register. */
#include <stdio.h>

static double half(double a) { return printf("%g\n", a / 2) / 2; } /*+ half */

int main(void) /*- may end without its value, the exit status */
{
  half(4);
  printf("a last line\n");
}
