/* A tree of tasks, tied, untied and undeferred. */
#include <stdio.h>

static int fibonacci(int n) {
  int left = 0, right = 0;
  if (n < 2) return n;
#pragma omp task shared(left) firstprivate(n)
  left = fibonacci(n - 1);
#pragma omp task shared(right) firstprivate(n) final(n < 5)
  {
    right = fibonacci(n - 2);
  }
#pragma omp taskwait
  return left + right;
}

static int forks;

static void untied(int depth, int* leaves) {
  if (depth == 0) {
#pragma omp atomic
    ++*leaves;
    return;
  }
#pragma omp task untied firstprivate(depth)
  {
    for (int i = 0; i < 2; i++) untied(depth - 1, leaves);
#pragma omp taskwait
#pragma omp critical
    ++forks;
  }
}

int main(void) {
  int result = 0, leaves = 0;
#pragma omp parallel
#pragma omp single
  {
    result = fibonacci(13);
#pragma omp taskgroup
    untied(6, &leaves);
  }
  printf("%d %d %d\n", result, leaves, forks);
  return 0;
}
