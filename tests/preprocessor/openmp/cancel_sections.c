/* Sections of which one ends the others, if cancellation is on. */
#include <omp.h>
#include <stdio.h>

int main(void) {
  int first = 0, joined = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp sections
    {
      first = 1;
#pragma omp section
      {
#pragma omp cancel sections
        joined += 100 * !omp_get_cancellation();
      }
#pragma omp section
      {
#pragma omp cancellation point sections
        joined += 0;
      }
    }
#pragma omp atomic
    joined++;
  }
#pragma omp parallel num_threads(3)
#pragma omp sections
  {
#pragma omp section
    joined |= 16;
#pragma omp section
    {
#pragma omp cancel sections if (joined < 0)
      joined |= 0;
    }
  }
  printf("%d\n", joined);
  return first > 1;
}
