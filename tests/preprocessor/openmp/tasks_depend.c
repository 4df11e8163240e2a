/* A wavefront of tasks that depend on their neighbours, and a chain. */
#include <stdio.h>

enum { n = 12 };
static int grid[n][n];

int main(void) {
  int chain = 1;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 1; i < n; i++)
      for (int j = 1; j < n; j++)
#pragma omp task depend(in : grid[i - 1][j], grid[i][j - 1]) depend(out : grid[i][j]) \
    firstprivate(i, j)
        grid[i][j] = (grid[i - 1][j] + grid[i][j - 1] + i * j) % 10007;
    for (int step = 0; step < 20; step++) {
#pragma omp task depend(inout : chain) shared(chain) firstprivate(step) priority(step)
      {
        chain = (chain * 3 + step) % 1009;
      }
    }
#pragma omp task depend(in : chain, grid[n - 1][n - 1]) if (0) shared(chain)
    printf("%d %d\n", chain, grid[n - 1][n - 1]);
#pragma omp taskwait depend(in : chain)
    chain++;
  }
  printf("%d\n", chain);
  return 0;
}
