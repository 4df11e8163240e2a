/* Rounds in order: blocks of a loop, and dependences from round to round in one and two dimensions. */
#include <stdio.h>

enum { n = 24 };
static int grid[n][n];

int main(void) {
  int line[n] = {1};
#pragma omp parallel for ordered schedule(dynamic, 2)
  for (int i = 0; i < n; i++) {
    int square = i * i;
#pragma omp ordered
    printf("%d ", square);
  }
  printf("\n");
#pragma omp parallel
  {
#pragma omp for ordered(1)
    for (int i = 1; i < n; i++) {
#pragma omp ordered depend(sink : i - 1)
      line[i] = (3 * line[i - 1] + i) % 101;
#pragma omp ordered depend(source)
    }
#pragma omp for ordered(2) schedule(static, 1)
    for (int i = 1; i < n; i++)
      for (int j = 1; j < n; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
        grid[i][j] = (grid[i - 1][j] + 2 * grid[i][j - 1] + i + j) % 1009;
#pragma omp ordered depend(source)
      }
  }
  printf("%d %d\n", line[n - 1], grid[n - 1][n - 1]);
  return 0;
}
