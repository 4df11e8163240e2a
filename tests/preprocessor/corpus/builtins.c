/* flags: -std=gnu11 -Wall */
/* flags: -O2 -std=gnu17 */
/* GCC's own builtins, and its stdatomic.h. */
#include <complex.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <tgmath.h>

typedef int four __attribute__((vector_size(16)));
static atomic_int counter;
static _Atomic(long) total;
static _Thread_local int per_thread = 3;

static int atomics(int n) { atomic_fetch_add(&counter, n); atomic_store(&total, 5); return counter + (int)atomic_load(&total); } /*+ atomics */
static int vectors(void) { four a = {1, 2, 3, 4}; four b = a * a + (a > 2); return b[2]; } /*+ vectors */
static double complexes(double x) { double complex z = x + 2 * I; return creal(z * conj(z)) + cabs(z); } /*+ complexes */
static int overflows(int a) { int r; return __builtin_add_overflow(a, 0x7fffffff, &r) + __builtin_popcount(a) + __builtin_clz(a); } /*+ overflows */
static int chosen(int a) { return __builtin_choose_expr(1, a, "x") + __builtin_constant_p(a) * 0 + __builtin_types_compatible_p(int, long); } /*+ chosen */
static __int128 wide(__int128 a) { return a << 70 >> 68; } /*+ wide */
static int typed(int a) { __auto_type b = a; __typeof__(b) c = b; return _Generic(c, int : c, default : 0) + ({ int d = 4; d; }) + (a ?: 3); } /*+ typed */
static int ranges(int a) { switch (a) { case 1 ... 5: return 1; default: return 2; } } /*+ ranges */
static int where(void) { return __builtin_return_address(0) != 0 && __builtin_frame_address(0) != 0; } /*+ where */
static unsigned swaps(unsigned a) { return __builtin_bswap32(a) + (unsigned)__builtin_parity(a) + (unsigned)__builtin_ffs((int)a); } /*+ swaps */
static int size(void *p) { return (int)__builtin_object_size(p, 0) < 0; } /*+ size */
static void *stack(int n) { char *p = __builtin_alloca((unsigned long)n); p[0] = 1; return p[0] ? &counter : 0; } /*+ stack */
int main(void) { /*+ main */
  int here[3];
  printf("%d %d %.2f %d %d %d %d\n", atomics(2), vectors(), complexes(1), overflows(5), chosen(6), (int)wide(2), typed(2));
  printf("%d %d %u %d %d %d %.1f\n", ranges(3), where(), swaps(1), size(here) * 0, stack(4) != 0, per_thread, sqrt(4.0f));
  return 0;
}
