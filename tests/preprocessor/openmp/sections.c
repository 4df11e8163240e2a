/* Sections with and without a directive before the first, empty, nested in branches and loops. */
#include <stdio.h>

static int f(int n) { return n * n; }

int main(void) {
  int a = 0, b = 0, c = 0, d = 0;
  for (int i = 0; i < 4; i++) {
#pragma omp parallel sections
    {
      for (int j = 0; j < i; j++) a += f(j);
#pragma omp section
      if (i % 2) b += f(i);
      else b -= f(i);
#pragma omp section
      ;
#pragma omp section /* the last */
      {
        int t = i;
        c += f(t);
      }
    }
  }
#pragma omp parallel
  {
#pragma omp sections nowait
    {
#pragma omp section
      d += f(2);
    }
#pragma omp sections reduction(+ : a)
    {
#pragma omp section
      a += 1;
#pragma omp section
      a += 2;
    }
  }
  printf("%d %d %d %d\n", a, b, c, d);
  return 0;
}
