/* A parallel region that one thread cancels while the others look for it. */
#include <omp.h>
#include <stdio.h>

int main(void) {
  int reached = 0, after = 0, rounds = 0;
#pragma omp parallel num_threads(4) default(none) shared(reached, after, rounds)
  {
#pragma omp critical
    reached++;
#pragma omp single nowait
    rounds = 1;
#pragma omp cancel parallel if (omp_get_thread_num() == 0)
    while (omp_get_cancellation()) {
#pragma omp cancellation point parallel
    }
#pragma omp atomic
    after++;
  }
  printf("%d %d %d %d\n", omp_get_cancellation(), reached, rounds, after);
  for (int again = 0; again < 5; again++) {
    int sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 100; i++) sum += i;
    printf("%d ", sum);
  }
  printf("\n");
  return after;
}
