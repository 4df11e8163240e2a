/* flags: -std=gnu11 -Wall -Wextra */
/* flags: -std=c89 -O2 */
#include <stdio.h>

#define OPEN {
#define CLOSE }
#define BEGIN(name) static int name(int x) {
#define END return x; }
#define WHOLE(name) static int name(int x) { return x * 2; }
#define HEAD(name) static int name(int x)
#define BLOCK(body) { body }
#define IF_(c) if (c) {
#define FI_ }
#define EACH(X) X(first, 1) X(second, 2)
#define MAKE(name, n) static int name(void) { return n; }
#define NOTHING
#define CAT(a, b) a##b

BEGIN(all_of_it) x += 1; END /*- body inside a macro expansion */
WHOLE(whole) /*- body inside a macro expansion */
HEAD(opened) OPEN return x + 3; CLOSE /*- body inside a macro expansion */
HEAD(closed) { return x + 4; CLOSE /*+ closed */
HEAD(braces_of_mine) /*+ braces_of_mine */
{ IF_(x > 2) x -= 1; FI_ return x; }
static int CAT(pas, ted)(int x) { return x + 5; } /*+ pasted */
static int between NOTHING (int x) NOTHING { NOTHING return x + 6; } /*+ between */
HEAD(argument) BLOCK(return x + 7;) /*- body inside a macro expansion */
EACH(MAKE) /*- body inside a macro expansion *//*- body inside a macro expansion */

#if 1
static int chosen(int x) /*+ chosen */
#else
static int not_chosen(int x)
#endif
{
#ifdef NOWHERE
  return 0; } }
#elif 1
  if (x) {
#else
  {
#endif
    x += 8;
  }
  return x;
}

#ifdef OPEN
static int conditional(int x) { return x + 9; } /*+ conditional */
#else
static int conditional(int x) { return x - 9; }
#endif
#undef conditional
#define defined_away(x) (x)
static int (defined_away)(int x) { return x + 10; } /*+ defined_away */
#define main main
int main(void) /*+ main */
{
  int unused_here;
  printf("%d %d %d %d %d\n", all_of_it(1), whole(1), opened(1), closed(1), braces_of_mine(4));
  printf("%d %d %d %d %d\n", pasted(1), between(1), argument(1), first(), second());
  printf("%d %d %d\n", chosen(1), conditional(1), (defined_away)(1));
  return 0;
}
