/* Every operator that reduces, on scalars and parts of arrays. */
#include <stdio.h>

int main(void) {
  int sum = 1, product = 1, all = 1, any = 0, low = 1000, high = -1000;
  unsigned conjunction = ~0u, disjunction = 0, parity = 0;
  double histogram[8] = {0}, difference = 0;
#pragma omp parallel for reduction(+ : sum, histogram[ : 8]) reduction(* : product) \
    reduction(&& : all) reduction(|| : any) reduction(min : low) reduction(max : high)
  for (int i = 1; i <= 400; i++) {
    sum += i;
    histogram[i % 8] += i;
    if (i < 8) product *= i;
    all = all && i > 0;
    any = any || i == 77;
    low = i < low ? i : low;
    high = i > high ? i : high;
  }
#pragma omp parallel reduction(& : conjunction) reduction(| : disjunction) reduction(^ : parity)
  {
#pragma omp for
    for (int i = 0; i < 32; i++) {
      conjunction &= ~(1u << (i / 2));
      disjunction |= 1u << i / 3;
      parity ^= 3u << (i % 7);
    }
#pragma omp for reduction(+ : difference) nowait
    for (int i = 0; i < 64; i++) difference += i % 2 ? 0.5 : -0.25;
  }
  printf("%d %d %d %d %d %d\n", sum, product, all, any, low, high);
  printf("%u %u %u %g\n", conjunction, disjunction, parity, difference);
  for (int i = 0; i < 8; i++) printf("%g ", histogram[i]);
  printf("\n");
  return 0;
}
