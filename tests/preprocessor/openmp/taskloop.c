/* Loops cut into tasks, with all that they may be told. */
#include <stdio.h>

static unsigned long squares(unsigned long n) {
  unsigned long sum = 0, last = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop reduction(+ : sum) grainsize(16)
    for (unsigned long i = 0; i < n; i++) sum += i * i;
#pragma omp taskloop num_tasks(8) lastprivate(last) shared(n)
    for (unsigned long i = 0; i < n; i++) last = i;
#pragma omp taskgroup
    {
#pragma omp taskloop nogroup default(none) shared(sum) firstprivate(n)
      for (unsigned long i = 0; i < n; i++) {
#pragma omp atomic
        sum += 1;
      }
    }
  }
#pragma omp parallel master taskloop simd collapse(2) reduction(+ : sum)
  for (unsigned long i = 0; i < 8; i++)
    for (unsigned long j = 0; j < 9; j++) sum += i * j;
  return sum + last;
}

int main(void) {
  for (unsigned long n = 1; n < 1000; n = 3 * n + 1) printf("%lu\n", squares(n));
  return 0;
}
