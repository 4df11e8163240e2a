/* Constructs in functions of a header and of the source that are called inside and outside of regions. */
#include "orphan.h"

#include <stdio.h>

static void tasks(int n, int* sum) {
  for (int i = 0; i < n; i++) {
#pragma omp task firstprivate(i)
    {
#pragma omp critical
      *sum += i;
    }
  }
#pragma omp taskwait
}

static int tiny(int n) {
#pragma omp critical (tiny)
  n++;
  return n;
}

int main(void) {
  double a[100], total = 0;
  int sum = 0;
  for (int i = 0; i < 100; i++) a[i] = i;
#pragma omp parallel num_threads(4) reduction(+ : total)
  {
    total += orphan(a, 100);
#pragma omp master
    tasks(20, &sum);
    total += tiny(1);
  }
  printf("%g %g %d\n", total, orphan(a, 50), sum);
  tasks(3, &sum);
  printf("%d %d\n", sum, tiny(4));
  return 0;
}
