/* Vector and x87 registers at a probe are the program's: probes keep them, also where visits take the slow path, as the first
 * ones, those of a recursion, and those that are left without notice: with AVX both where their upper halves are in use and
 * where these are zero. Prints how many registers were changed. */
#include <setjmp.h>

#include "odd.h"

static unsigned char given[16][32], found[16][32];
static int avx, wide;
static struct {
  long double given[8], found[8];
} x87;
static int full; /* how many x87 registers hold values */
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
#define CHANGED_X87 "st", "st(1)", "st(2)", "st(3)", "st(4)", "st(5)", "st(6)", "st(7)"
/* Calls `function`, which itself uses no vector and no x87 register, with all of them filled. */
#define CALL(put, take, after)                                                                                               \
  __asm__ volatile("lea -128(%%rsp), %%rsp\n\tmov %%rsp, %%r13\n\tand $-16, %%rsp\n\t" ALL(put)                              \
                   "call *%[function]\n\t" ALL(take) after "mov %%r13, %%rsp\n\tlea 128(%%rsp), %%rsp"                       \
                   : "+D"(depth)                                                                                             \
                   : [function] "r"(function), [given] "r"(given), [found] "r"(found)                                        \
                   : CHANGED, "r13")
/* The same with so many x87 registers as `full` says; the last one that is filled comes back first. */
#define CALL_WITH_X87                                                                                                        \
  __asm__ volatile("lea -128(%%rsp), %%rsp\n\tmov %%rsp, %%r13\n\tand $-16, %%rsp\n\t"                                       \
                   "mov %[full], %%r14d\n\tmov %[values], %%r15\n"                                                          \
                   "1:\tdec %%r14d\n\tjs 2f\n\tfldt (%%r15)\n\tadd $16, %%r15\n\tjmp 1b\n"                                    \
                   "2:\tcall *%[function]\n\tmov %[full], %%r14d\n\tlea 128(%[values]), %%r15\n"                                \
                   "3:\tdec %%r14d\n\tjs 4f\n\tfstpt (%%r15)\n\tadd $16, %%r15\n\tjmp 3b\n"                                   \
                   "4:\tmov %%r13, %%rsp\n\tlea 128(%%rsp), %%rsp"                                                          \
                   : "+D"(depth)                                                                                             \
                   : [function] "r"(function), [values] "r"(&x87), [full] "m"(full)                                          \
                   : CHANGED, CHANGED_X87, "r13", "r14", "r15")

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

FUNCTION void calls_with_x87(void (*function)(int), int depth) {
  CALL_WITH_X87;
  for (int n = 0; n < full; n++) changed += !(x87.given[n] == x87.found[full - 1 - n]);
}
static void call_with_x87(void (*function)(int), int depth) {
  for (full = 8; full > 0; full -= full == 8 ? 1 : 6) calls_with_x87(function, depth);
}

int main(void) {
  __builtin_cpu_init();
  for (int n = 0; n < 8; n++) x87.given[n] = 1.0L / (n + 3);
  call_with_x87(leaf, 0); /* first visits */
  avx = __builtin_cpu_supports("avx") ? 1 : 0;
  for (wide = avx; wide >= 0; wide--) { /* first visits are those of the widest */
    for (int n = 0; n < 16; n++)
      for (int i = 0; i < 32; i++) given[n][i] = (unsigned char)(i < 16 || wide ? 1 + 16 * n + i : 0);
    for (int i = 0; i < 1000; i++) {
      calls(leaf, 0);
      calls(first, 6);
      call_with_x87(leaf, 0);
      call_with_x87(first, 6);
      if (i % 100 == 0 && !setjmp(out)) jumps(3);
      calls(leaf, 0);
    }
  }
  printf("%ld registers changed\n", changed);
  return changed != 0;
}
