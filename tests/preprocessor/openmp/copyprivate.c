/* What one thread finds out is handed to all. */
#include <omp.h>
#include <stdio.h>

static int counter;
#pragma omp threadprivate(counter)

int main(void) {
  int hits = 0, ones = 0;
#pragma omp parallel num_threads(4) reduction(+ : hits)
  {
    int value = 0;
    double pair[2] = {0, 0};
    counter = omp_get_thread_num();
#pragma omp single copyprivate(value, pair, counter)
    {
      value = 42;
      pair[1] = 7;
      counter = 77;
    }
    hits += value + (int)pair[1] + counter;
#pragma omp single nowait
    ones += 1;
#pragma omp single
    {
      ones += 10;
    }
#pragma omp master
    hits += 1000;
#pragma omp master
    hits += 10000;
  }
  printf("%d %d\n", hits, ones);
  return 0;
}
