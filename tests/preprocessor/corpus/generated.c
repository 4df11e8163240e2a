/* flags: -std=c99 -Wall -Wextra */
/* flags: -O2 */
/* In the manner of bison and flex: #line leads to the grammar and back. The lines stay in step, for
   it is by them that the marks are compared. */
#include <stdio.h>
#line 7 "scan.l"
static int depth; /* of the grammar */
#line 9 "generated-scan.c"
static int scan(const char *text) /*+ scan */
{
#line 12 "scan.l"
  int unused_in_grammar;
#line 14 "generated.c"
  return text[0];
}
# 17 "parse.y"
static int action(int value) { ++depth; return value + 1; } /*+ action */
# 19 "generated.c"
#line 20
static int table[] = {1, 2, 3};
int main(void) /*+ main */
{
  printf("%d %d %s:%d\n", action(scan("a")), table[1] + depth, __FILE__, __LINE__);
  return 0;
}
