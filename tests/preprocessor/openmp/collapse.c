/* Nests of loops that a construct takes together, in every form they have. */
#include <stdio.h>

static int cube[6][7][8];

int main(void) {
  long sum = 0;
  int odd = 0;
#pragma omp parallel for collapse(3)
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 7; j++) {
      for (int k = 0; k < 8; k++)
        cube[i][j][k] = i + 10 * j + 100 * k;
    }
#pragma omp parallel
  {
#pragma omp for collapse(2) reduction(+ : sum) schedule(dynamic)
    for (int i = 0; i < 6; i++)
      for (int j = 6; j >= 0; j--)
        for (int k = 0; k < 8; k += 3) sum += cube[i][j][k];
#pragma omp for collapse(2)
    for (int i = 5; i > 0; i -= 2)
      for (int j = 0; j < 7; ++j)
#pragma omp critical
      {
        for (int k = 0; k < 8; k++)
          if (cube[i][j][k] % 2) odd++;
      }
#pragma omp for simd collapse(2)
    for (int i = 0; i < 6; i++)
      for (int j = 0; j < 7; j++) cube[i][j][0] = 0;
  }
  printf("%ld %d %d\n", sum, odd, cube[5][6][0] + cube[5][6][7]);
  return 0;
}
