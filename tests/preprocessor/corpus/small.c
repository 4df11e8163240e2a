/* select: default */
/* flags: -std=gnu11 -Wall -Wextra */
/* flags: -O2 -Wall */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair { double a, b; };
struct large { double values[200]; };
static double table[64];
static volatile int sink;

static void empty(void) {} /*- small (0 operations, no loops, no calls) */
static int ten(int a, int b) { return ((a ^ b) + (a & 7)) * 3 - (b >> 2) + (a | b) - (a < b); } /*- small (10 operations, no loops, no calls) */
static double look(int i) { return table[i & 63]; } /*- small (2 operations, no loops, no calls) */
static void put(struct pair *p, double x) { p->a = x; p->b += x; } /*- small (4 operations, no loops, no calls) */
static double both(const struct pair *p) { return (*p).a + p->b; } /*- small (3 operations, no loops, no calls) */
static double looks(int i) { return look(i) * look(i + 1); } /*- small (8 operations, no loops, calls only small functions) */
static int named(int x) { /*- small (2 operations, no loops, no calls) */
  switch (x) {
  case 0: return 5;
  case 1 + 1: return 7;
  default: return -1;
  }
}
static double lengths(double x, double y) { return sqrt(x * x + y * y) + fabs(x); } /*- small (6 operations, no loops, no calls) */
static int checked(int i) { assert(i >= 0 && i < 64); return i; } /*- small (4 operations, no loops, no calls) */
static int stops(int i) { if (i < 0) { puts("stop"); exit(1); } return i; } /*- small (2 operations, no loops, no calls) */
#define ONCE(statement) do { statement; } while (0)
static int once(int i) { ONCE(i += 2); return i; } /*- small (1 operation, no loops, no calls) */
#define SQUARE(x) ((x) * (x))
static int from_macro(int i) { return SQUARE(SQUARE(i)); } /*- small (3 operations, no loops, no calls) */
static int unevaluated(int i) { return (int)sizeof(look(i)) + i; } /*- small (1 operation, no loops, no calls) */
static int chosen(int i) { return _Generic(i, int: i + 1, double: look(i)); } /*- small (1 operation, no loops, no calls) */
static int expression(int i) { return __builtin_expect(__builtin_popcount((unsigned)i) > 1, 0); } /*- small (3 operations, no loops, no calls) */
static int forwards(int i) { if (i > 3) goto out; i += 2; out: return i; } /*- small (3 operations, no loops, no calls) */
static int prior(void) { int i = 0; again: if (++i < 8) goto again; return i; } /*+ prior */
static int counts(int n) { int s = 0; for (int i = 0; i < n; ++i) s += i; return s; } /*+ counts */
static double dot3(const double *a, const double *b) { double s = 0; for (int k = 0; k < 3; ++k) s += a[k] * b[k]; return s; } /*- small (20 operations, loops of known length, no calls) */
static double trace(void) { double s = 0; int i; for (i = 0; i <= 2; i++) for (int k = 4; k > 0; k -= 2) s += table[i * k]; return s; } /*- small (41 operations, loops of known length, no calls) */
static int tens(void) { int s = 0; for (int k = 0; k < 4; ++k) s += ten(k, k); return s; } /*- small (58 operations, loops of known length, calls only small functions) */
static int many_tens(void) { int s = 0; for (int k = 0; k < 9; ++k) s += ten(k, k); return s; } /*- the compiler would inline it (128 operations, loops of known length) */
static void fills(void) { for (int k = 0; k < 64; ++k) table[k] = k; } /*- the compiler would inline it (257 operations, loops of known length) */
static int long_count(void) { int s = 0; for (int k = 0; k < 1000; ++k) s ^= k; return s; } /*+ long_count */
static int loop_in_counted(int n) { int s = 0; for (int k = 0; k < 2; ++k) while (n > k) { n /= 2; ++s; } return s; } /*+ loop_in_counted */
static int halves(int n) { int s = 0; while (n > 0) { n /= 2; ++s; } return s; } /*+ halves */
static int doubles(int n) { do n *= 2; while (n < 1000); return n; } /*+ doubles */
static int calls_counts(int n) { return counts(n) + 1; } /*+ calls_counts */
static int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); } /*- calls itself and is short (5 operations in a visit) */
static int pong(int n);
static int ping(int n) { int below = n > 0 ? pong(n - 1) : 0; return below + 1; } /*+ ping */
static int pong(int n) { int below = n > 0 ? ping(n - 1) : 0; return below + 1; } /*+ pong */
static double transcendental(double x) { return exp(x); } /*- small (61 operations, no loops, no calls) */
static void prints(int x) { printf("%d\n", x); } /*+ prints */
static int through_pointer(int (*f)(int)) { return f(1); } /*+ through_pointer */
static int clears(void) { struct large all = {{0}}; return (int)all.values[ten(1, 2) & 63]; } /*- the compiler would inline it (213 operations, no loops) */
static struct large copies(const struct large *from) { return *from; } /*- the compiler would inline it (201 operations, no loops) */
static void assigns(struct large *to, const struct large *from) { *to = *from; } /*- the compiler would inline it (203 operations, no loops) */
static struct pair copies_pair(const struct pair *from) { return *from; } /*- small (3 operations, no loops, no calls) */
static double loads(const void *from) { double x; memcpy(&x, from, sizeof x); return x; } /*- small (1 operation, no loops, no calls) */
static void sets(char *line) { memset(line, 0, 64); memmove(line, line + 8, 3); } /*- small (10 operations, no loops, no calls) */
static void *copies_bytes(void *to, const void *from, size_t bytes) { return memcpy(to, from, bytes); } /*- small (1 operation, no loops, no calls) */
static double reads(const void *from) { double x; copies_bytes(&x, from, sizeof x); return x; } /*- small (1 operation, no loops, no calls) */
static void reads_many(void *to, const void *from, size_t n) { copies_bytes(to, from, n); } /*+ reads_many */
static void wipes(void) { memset(table, 0, sizeof table); } /*+ wipes */
static void moves(void *to, const void *from, size_t values) { memcpy(to, from, 8 * values); } /*+ moves */
static double straight(double x) { /*- small (99 operations, no loops, no calls) */
#define TEN(x) x = x * 1.5 + 1; x = x * 1.5 - 1; x = x * x + x; x = -x
  TEN(x); TEN(x); TEN(x); TEN(x); TEN(x); TEN(x); TEN(x); TEN(x); TEN(x);
  return x;
}
static double longer(double x) { /*- the compiler would inline it (110 operations, no loops) */
  TEN(x); TEN(x); TEN(x); TEN(x); TEN(x); TEN(x); TEN(x); TEN(x); TEN(x); TEN(x);
  return x;
}
static double thrice(double x) { return straight(x) + straight(x); } /*- the compiler would inline it (201 operations, no loops) */

static double *filled(void) { /*- small (1 operation, no loops, no calls) */
  static double values[200];
  static int first = 1;
  if (first) { for (int k = 0; k < 200; ++k) values[k] = k; first = 0; }
  return values;
}
static double powers(int i) { /*- small (3 operations, no loops, no calls) */
  static double values[200];
  static int known;
  if (known == 0) { double x = 1; for (int k = 0; k < 200; ++k) values[k] = x *= 2; known = 1; }
  return values[i];
}
static double filled_again(int i) { /*+ filled_again */
  static double values[200];
  static int first = 1;
  if (first) { for (int k = 0; k < i; ++k) values[k] = k; first = 0; }
  if (i > 100) first = 1;
  return values[0];
}
static double filled_often(int i) { /*+ filled_often */
  static double values[200];
  static int rest = 5;
  if (rest != 0) { for (int k = 0; k < i; ++k) values[k] = k; rest = 4; }
  return values[0];
}
static void spoil(int *ready) { *ready = sink; } /*- small (2 operations, no loops, no calls) */
static double filled_for_others(int i) { /*+ filled_for_others */
  static double values[200];
  static int ready;
  if (!ready) { for (int k = 0; k < i; ++k) values[k] = k; ready = 1; }
  spoil(&ready);
  return values[0];
}
static double filled_now(int i) { /*+ filled_now */
  static double values[200];
  int ready = sink;
  if (!ready) { for (int k = 0; k < i; ++k) values[k] = k; ready = 1; }
  return values[0] + ready;
}
static double filled_at_last(int i) { /*+ filled_at_last */
  static double values[200];
  static int ready;
  if (!ready) { for (int k = 0; k < i; ++k) values[k] = k; if (i > 100) return 0; ready = 1; }
  return values[0];
}
static double read_once(int i) { /*+ read_once */
  static int ready;
  if (!ready) { puts("once"); ready = 1; }
  return i;
}

int main(void) /*+ main */
{
  struct pair p = {1, 2};
  struct large a = {{1, 2, 3}}, b;
  empty();
  put(&p, 3);
  assigns(&b, &a);
  b = copies(&a);
  moves(table, b.values, 64);
  printf("%d %g %g %g %d %g %d\n", ten(1, 2), look(1), both(&p), looks(0), named(2), lengths(3, 4), checked(2));
  printf("%d %d %d %d %d %d\n", stops(1), once(1), from_macro(2), unevaluated(1), chosen(1), expression(3));
  printf("%d %d %d %d %d %d %d\n", forwards(1), prior(), counts(4), halves(9), doubles(3), calls_counts(2), factorial(5));
  printf("%d %g %d %d %g\n", ping(3), transcendental(0), through_pointer(named), clears(), copies_pair(&p).b);
  printf("%d\n", straight(0.1) < longer(0.1) ? 1 : thrice(0.1) > 0);
  printf("%g %g %d %d\n", dot3(a.values, a.values), trace(), tens(), many_tens());
  fills();
  printf("%d %d %g\n", long_count(), loop_in_counted(9), loads(&a));
  sets((char *)&b);
  reads_many(&b, &a, sizeof b);
  printf("%g\n", reads(&b));
  wipes();
  printf("%g %g %g %g\n", filled()[3], powers(3), filled_again(3), filled_often(3));
  printf("%g %g %g %g\n", filled_for_others(3), filled_now(3), filled_at_last(3), read_once(3));
  prints(sink);
}
