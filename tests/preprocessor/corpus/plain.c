/* flags: -std=c11 -Wall -Wextra -Wshadow -pedantic */
/* flags: -O2 -Wall -Wextra -Wshadow */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int twice(int x) { return 2 * x; } /*+ twice */
int first(void) { return 1; } int second(void) { return 2; } /*+ first */ /*+ second */
static void empty(void) {} /*+ empty */

static int many_exits(int n) /*+ many_exits */
{
  int i;
  for (i = 0; i < n; i++) {
    if (i == 3) goto out;
    if (i == 7) return -1;
    switch (n) {
    case 1: return 10;
    case 2: break;
    default: continue;
    }
  }
  return i;
out:
  return 100;
}

static int sum(int count, ...) { /*+ sum */
  va_list list;
  int total = 0;
  va_start(list, count);
  while (count-- > 0) total += va_arg(list, int);
  va_end(list);
  return total;
}

inline int inline_one(int x);
inline int inline_one(int x) { return x + 1; } /*+ inline_one */
extern int inline_one(int x);

_Noreturn static void leave(int status) { /*+ leave */
  fflush(stdout);
  exit(status);
}

static jmp_buf back;
static void jumps(int depth) { /*+ jumps */
  volatile int here = depth;
  if (here == 0) longjmp(back, 7);
  jumps(depth - 1);
  here++;
}

static int catches(void) { /*+ catches */
  int result = setjmp(back);
  if (result == 0) jumps(4);
  return result;
}

#define DEFINE(name, value) static int name(void) { return value; }
DEFINE(from_macro, 42) /*- body inside a macro expansion */
#define HEAD(name) static int name(void)
HEAD(named_by_macro) { return 43; } /*+ named_by_macro */
#define OPEN {
static int opened_by_macro(void) OPEN return 44; } /*- body inside a macro expansion */

#ifdef SOMETHING
static int branch(int a) {
#else
static int branch(long a) { /*+ branch */
#endif
  return (int)a;
}

static int even(unsigned n);
static int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); } /*- tail call in a cycle of calls */
static int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); } /*- tail call in a cycle of calls */
static unsigned long count_up(unsigned long n, unsigned long sum_so_far) { /*- tail call in a cycle of calls */
  if (n == 0) return sum_so_far;
  return count_up(n - 1, sum_so_far + 1);
}
static void count_down(unsigned long n) { /*- tail call in a cycle of calls */
  if (n > 0) {
    if (n == 5) return;
    count_down(n - 1);
  }
}
static unsigned long length(unsigned long n) { /*+ length */
  return n == 0 ? 0 : 1 + length(n - 1);
}
static int fibonacci(int n) { /*+ fibonacci */
  if (n < 2) return n;
  return fibonacci(n - 1) + fibonacci(n - 2);
}
static int calls_last(int n) { return many_exits(n); } /*+ calls_last */

typedef int (*operation)(int, int);
static int stop(int a, int b) { return a + b; } /*+ stop */
static int next_operation(int a, int b); /* no definition */
static const operation table[] = {stop, next_operation};
static int next_operation(int a, int b) { /*- tail call through a pointer to functions of its own type */
  return table[a > 0](a - 1, b + 1);
}
static int forward(int a, int b) { return table[0](a, b); } /*+ forward */

__attribute__((no_instrument_function)) static int uninstrumented(void) { return 5; } /*- no_instrument_function */
static int by_asm_label(int x) __asm__("label_of_asm");
static int by_asm_label(int x) { return x; } /*+ by_asm_label */
static int with_extension(int x) { return __extension__({ int y = x; y * 3; }); } /*+ with_extension */
static int continued(int x) /*+ continued */ { \
  return x + 1; }
static int /* comment { */ commented(/* int */ int x) /* { */ { /*+ commented */ /* over
  lines */ return x; }

static int compare(const void* a, const void* b) { return *(const int*)a - *(const int*)b; } /*+ compare */

int main(void) /*+ main */
{
  int numbers[] = {3, 1, 2};
  qsort(numbers, 3, sizeof numbers[0], compare);
  empty();
  count_down(2000000);
  printf("%d %d %d %d %d %d\n", twice(4), first(), second(), many_exits(2), many_exits(9), sum(3, 1, 2, 3));
  printf("%d %d %d %d %d %d\n", inline_one(1), catches(), from_macro(), named_by_macro(), opened_by_macro(), branch(6));
  printf("%d %lu %lu %d %d %d\n", even(2000001), count_up(3000000, 0), length(10), fibonacci(12), calls_last(5), next_operation(1000000, forward(1, 1)));
  printf("%d %d %d %d %d %d%d%d\n", uninstrumented(), by_asm_label(3), with_extension(2), continued(1), commented(9),
         numbers[0], numbers[1], numbers[2]);
  printf("%s %s %d %.1f %d\n", __FILE__, __BASE_FILE__, __LINE__, sqrt(4.0), (int)strlen(__func__));
  leave(3);
}
