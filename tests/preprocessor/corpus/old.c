/* flags: -std=c89 -Wall -Wextra -pedantic -Wdeclaration-after-statement */
/* flags: -ansi -Wall -Wold-style-definition */
#include <stdio.h>

static int knr(a, b) int a; char *b; { return a + *b; } /*+ knr */

static long declarations(void) /*+ declarations */
{
  long a = 1;
  long b = 2;
  {
    long c = 3;
    a += c;
  }
  return a + b;
}

int main(void) /*+ main */
{
  int unused;
  printf("%d %ld\n", knr(1, "A"), declarations());
  return 0;
}
