/* Teams by if, num_threads, proc_bind; what each thread has of its own. */
#include <omp.h>
#include <stdio.h>

static int team(int wanted) {
  int size = 0, private = 9;
#pragma omp parallel if (wanted > 1) num_threads(wanted) proc_bind(close) private(private)
  {
    private = omp_get_thread_num();
#pragma omp single
    size = omp_get_num_threads();
    if (private == 0)
#pragma omp atomic
      size += 100;
  }
  return size + private;
}

int main(void) {
  int first = 4, sum = 0;
  omp_set_dynamic(0);
  for (int n = 1; n < 6; n++) printf("%d ", team(n));
#pragma omp parallel num_threads(3) firstprivate(first) shared(sum)
  {
    first += omp_get_thread_num();
#pragma omp critical
    sum += first;
#pragma omp task if (first > 4) final(first > 5) mergeable firstprivate(first)
    {
#pragma omp critical
      sum += 10 * first;
    }
#pragma omp taskyield
#pragma omp flush
  }
  printf("%d %d\n", sum, first);
  return 0;
}
