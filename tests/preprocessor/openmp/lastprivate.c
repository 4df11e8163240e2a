/* What loops and sections leave behind: lastprivate, linear, both on one loop. */
#include <stdio.h>

int main(void) {
  int last = -1, copy = 5, where = 10, side = 0;
  double a[256];
#pragma omp parallel for lastprivate(last) firstprivate(copy) schedule(guided)
  for (int i = 0; i < 256; i++) {
    last = i * copy;
    a[i] = last;
  }
#pragma omp parallel
  {
#pragma omp for linear(where : 2) lastprivate(copy) schedule(static, 3)
    for (int i = 0; i < 100; i++) {
      copy = where;
      where += 2;
    }
#pragma omp sections lastprivate(side)
    {
      side = 1;
#pragma omp section
      {
        side = 2;
      }
#pragma omp section
      side = 3;
    }
  }
#pragma omp parallel for simd lastprivate(last) linear(where) collapse(1)
  for (int i = 0; i < 64; i++) {
    last = i;
    a[i] += where++;
  }
  printf("%d %d %d %d %g %g\n", last, copy, where, side, a[63], a[255]);
  return 0;
}
