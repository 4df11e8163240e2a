/* Atomic updates of every form, directly under directives and branches. */
#include <stdio.h>

int main(void) {
  int updated = 0, captured = 0, written = 0, copy = 0, swapped = 0;
#pragma omp parallel num_threads(4)
  {
    int old = 0;
    if (updated >= 0)
#pragma omp atomic
      updated++;
    else
#pragma omp atomic
      updated--;
#pragma omp atomic update seq_cst
    updated += 2;
#pragma omp atomic capture
    old = captured++;
#pragma omp atomic write
    written = 5;
#pragma omp atomic read
    copy = written;
#pragma omp atomic capture
    {
      old = swapped;
      swapped += 3;
    }
    for (int i = 0; i < 10; i++)
#pragma omp atomic
      updated += i;
    (void)old;
  }
#pragma omp parallel num_threads(2)
#pragma omp atomic
  updated += 1000;
  printf("%d %d %d %d %d\n", updated, captured, written, copy, swapped);
  return 0;
}
