/* A library with a region, for loading.c. */
#include <omp.h>

int work(void) {
  int sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
  sum += 1 + omp_get_thread_num();
  return sum;
}
