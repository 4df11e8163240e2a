/* Vector registers at a probe are the program's: probes keep them, also where visits take the slow path, as the first
 * ones, those of a recursion, and those that are left without notice: with AVX both where their upper halves are in use and
 * where these are zero. Prints how many registers were changed. */
#include <setjmp.h>

#include "odd.h"

static unsigned char given[16][32], found[16][32];
static int avx, wide;
static long changed;
static jmp_buf out;
volatile int sum;

FUNCTION void leaf(int depth) { sum += depth; }
FUNCTION void first(int depth);
FUNCTION void second(int depth) {
  if (depth) first(depth - 1);
  sum += depth;
}
FUNCTION void first(int depth) {
  if (depth) second(depth - 1);
  sum -= depth;
}
FUNCTION void jumps(int depth) {
  if (depth == 0) longjmp(out, 1);
  jumps(depth - 1);
  sum += depth;
}

#define ALL(one) one(0) one(1) one(2) one(3) one(4) one(5) one(6) one(7) one(8) one(9) one(10) one(11) one(12) one(13) one(14) one(15)
#define PUT(n) "movups " #n "*32(%[given]), %%xmm" #n "\n\t"
#define TAKE(n) "movups %%xmm" #n ", " #n "*32(%[found])\n\t"
#define PUT_WIDE(n) "vmovups " #n "*32(%[given]), %%ymm" #n "\n\t"
#define PUT_LOW(n) "vmovups " #n "*32(%[given]), %%xmm" #n "\n\t" /* the rest is zero then */
#define TAKE_WIDE(n) "vmovups %%ymm" #n ", " #n "*32(%[found])\n\t"
#define CHANGED                                                                                                              \
  "cc", "memory", "rax", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5",      \
      "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15"
/* Calls `function`, which itself uses no vector register, with all of them filled. */
#define CALL(put, take, after)                                                                                               \
  __asm__ volatile("lea -128(%%rsp), %%rsp\n\tmov %%rsp, %%r13\n\tand $-16, %%rsp\n\t" ALL(put)                              \
                   "call *%[function]\n\t" ALL(take) after "mov %%r13, %%rsp\n\tlea 128(%%rsp), %%rsp"                       \
                   : "+D"(depth)                                                                                             \
                   : [function] "r"(function), [given] "r"(given), [found] "r"(found)                                        \
                   : CHANGED, "r13")

FUNCTION void calls(void (*function)(int), int depth) {
  memset(found, 0, sizeof found);
  if (wide)
    CALL(PUT_WIDE, TAKE_WIDE, "vzeroupper\n\t");
  else if (avx)
    CALL(PUT_LOW, TAKE_WIDE, "");
  else
    CALL(PUT, TAKE, "");
  for (int n = 0; n < 16; n++) changed += memcmp(given[n], found[n], avx ? 32 : 16) != 0;
}

int main(void) {
  __builtin_cpu_init();
  avx = __builtin_cpu_supports("avx") ? 1 : 0;
  for (wide = avx; wide >= 0; wide--) { /* first visits are those of the widest */
    for (int n = 0; n < 16; n++)
      for (int i = 0; i < 32; i++) given[n][i] = (unsigned char)(i < 16 || wide ? 1 + 16 * n + i : 0);
    for (int i = 0; i < 1000; i++) {
      calls(leaf, 0);
      calls(first, 6);
      if (i % 100 == 0 && !setjmp(out)) jumps(3);
      calls(leaf, 0);
    }
  }
  printf("%ld registers changed\n", changed);
  return changed != 0;
}
