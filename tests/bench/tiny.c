/* A program that spends all its time in functions of some ten instructions, in a loop of main's own
 * callee. Prints the CPU time of the loop, which others on the machine lengthen least, and a sum
 * that must not change: hot NANOSECONDS SUM
 *
 *   tiny ROUNDS
 *
 * TINY is the functions' attribute: noinline, or nothing, when the compiler inlines them all.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifndef TINY
#define TINY
#endif

static TINY uint32_t shuffle(uint32_t a, uint32_t b) {
  a ^= b;
  a *= 0x9e3779b1u;
  a ^= a >> 15;
  return a + (b << 3);
}

static TINY uint32_t rotate(uint32_t a, uint32_t b) {
  b &= 31;
  return ((a << b) | (a >> (31 - b))) ^ 0x5bd1e995u;
}

static TINY uint32_t choose(uint32_t a, uint32_t b, uint32_t c) {
  return (a & b) ^ (~a & c) ^ (b >> 7);
}

/* No branch: how well one is predicted depends on where in the program it stands. */
static TINY uint32_t apart(uint32_t a, uint32_t b) { return (a - b) * 3 + (a > b) * 7 + (a & b); }

static TINY uint32_t* slot(uint32_t* table, uint32_t at) { return table + ((at ^ at >> 9) & 255); }

static TINY void update(uint32_t* table, uint32_t at, uint32_t value) {
  uint32_t* place = slot(table, at);
  *place = (*place ^ value) + 1;
}

static TINY uint32_t step(uint32_t* table, uint32_t a, uint32_t i) {
  const uint32_t b = choose(a, rotate(a, i), i);
  a = shuffle(a, b);
  update(table, a, b);
  return apart(a, *slot(table, b));
}

static uint32_t loop(uint32_t* table, long rounds) {
  uint32_t a = 1;
  for (long i = 0; i < rounds; ++i) a = step(table, a, (uint32_t)i);
  return a;
}

int main(int count, char** words) {
  static uint32_t table[256];
  const long rounds = count > 1 ? atol(words[1]) : 1000000;
  struct timespec begin, end;
  loop(table, rounds / 10); /* warms up */
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
  const uint32_t sum = loop(table, rounds);
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
  printf("hot %lld %u\n",
         (long long)(end.tv_sec - begin.tv_sec) * 1000000000 + (end.tv_nsec - begin.tv_nsec), sum);
  return 0;
}
