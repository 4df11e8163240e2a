/* flags: -w */
/* flags: -O2 -w */
/* The exit status is what the last call has left in a register. */
#include <stdio.h>

static double half(double a) { return printf("%g\n", a / 2) / 2; } /*+ half */

void main(void) /*- may end without its value, the exit status */
{
  half(4);
  printf("a last line\n");
}
