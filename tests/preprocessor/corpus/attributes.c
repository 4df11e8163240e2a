/* flags: -std=gnu17 -Wall -Wextra */
/* flags: -O2 -fPIC -fvisibility=hidden */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((constructor(200))) static void starts(void) { puts("starts"); } /*+ starts */
__attribute__((destructor)) static void ends(void) { puts("ends"); } /*+ ends */
__attribute__((section(".text.elsewhere"))) static int moved(int x) { return x + 1; } /*+ moved */
__attribute__((weak)) int weak_one(int x) { return x + 2; } /*+ weak_one */
int strong(int x) { return x + 3; } /*+ strong */
int other_name(int x) __attribute__((alias("strong")));
static int aliased(int x) __attribute__((weakref("strong")));
__attribute__((visibility("default"))) int seen(int x) { return x + 4; } /*+ seen */
__attribute__((flatten)) static int flat(int x) { return moved(x) + strong(x); } /*+ flat */
__attribute__((const)) static int constant(int x) { return x * x; } /*+ constant */
__attribute__((malloc, warn_unused_result)) static void *get(size_t n) { return malloc(n); } /*+ get */
__attribute__((nonnull(1), format(printf, 1, 2))) static int say(const char *how, ...) /*+ say */
{
  va_list list;
  int n;
  va_start(list, how);
  n = vprintf(how, list);
  va_end(list);
  return n;
}
__attribute__((sentinel)) static int count(int first, ...) { return first; } /*+ count */
__attribute__((returns_twice)) int twice(int x);
int twice(int x) { return x + 5; } /*+ twice */
__attribute__((no_stack_protector)) static int unprotected(int x) { char room[64]; memset(room, x, 64); return room[3]; } /*+ unprotected */
__attribute__((no_instrument_function)) static int not_mine(int x) { return x + 6; } /*- no_instrument_function */
__attribute__((deprecated("old"))) static int old(int x) { return x + 7; } /*+ old */
#ifdef __x86_64__
__attribute__((ms_abi)) static int windows(int x, double y) { return x + (int)y; } /*+ windows */
__attribute__((regparm(0))) static int registers(int x) { return x + 8; } /*+ registers */
#endif
extern __inline__ __attribute__((gnu_inline)) int only_inline(int x) { return x + 9; } /*+ only_inline */
int only_inline(int x) { return x + 10; } /*+ only_inline */
inline int c99_inline(int x) { return x + 11; } /*+ c99_inline */
extern inline int c99_inline(int x);
__attribute__((noreturn)) static void leaves(int x) { exit(x); } /*+ leaves */
_Noreturn static void leaves_too(int x) { leaves(x); } /*+ leaves_too */
int main(void) /*+ main */
{
  void *p = get(8);
  int total = moved(1) + weak_one(1) + strong(1) + other_name(1) + aliased(1) + seen(1) + flat(1) + constant(3);
  free(p);
  total += say("%d %s\n", 3, "x") + count(1, (void *)0) + twice(1) + unprotected(2) + not_mine(1);
  total += windows(1, 2.0) + registers(1) + only_inline(1) + c99_inline(1) + (0 ? old(1) : 0);
  printf("%d\n", total);
  fflush(stdout);
  if (total > 0) leaves_too(0);
  return 1;
}
