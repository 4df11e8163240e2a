/* Loops for vectors, alone and shared out, with functions for vectors. */
#include <stdio.h>

#pragma omp declare simd notinbranch
static float scaled(float x, float y) {
  return 2 * x + y;
}

int main(void) {
  float a[512], b[512], sum = 0;
  int first = 0;
#pragma omp simd safelen(8)
  for (int i = 0; i < 512; i++) a[i] = (float)(i % 16);
#pragma omp parallel for simd aligned(a, b : 4) schedule(simd : static)
  for (int i = 0; i < 512; i++) b[i] = scaled(a[i], 1.0f);
#pragma omp parallel
  {
#pragma omp for simd reduction(+ : sum) simdlen(4)
    for (int i = 0; i < 512; i++) sum += b[i];
#pragma omp single
    {
#pragma omp simd lastprivate(first)
      for (int i = 0; i < 64; i++) {
        first = i;
        for (int j = 0; j < 2; j++) a[i] += 1;
      }
    }
  }
  printf("%g %d %g\n", sum, first, a[63]);
  return 0;
}
