/* Reductions over tasks, of a group and of a region. */
#include <stdio.h>

int main(void) {
  long sum = 0, other = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup task_reduction(+ : sum)
    {
      for (int i = 0; i < 20; i++)
#pragma omp task in_reduction(+ : sum) firstprivate(i)
      {
        for (int j = 0; j <= i; j++) sum += j;
      }
    }
  }
#pragma omp parallel
#pragma omp for reduction(task, + : other)
  for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : other)
    other += 1000;
  }
  printf("%ld %ld\n", sum, other);
  return 0;
}
