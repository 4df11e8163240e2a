/* A relaxation as programs write it: one region around all steps, worksharing and a residual inside. */
#include <math.h>
#include <stdio.h>

enum { n = 66, steps = 40 };
static double old[n][n], now[n][n];

int main(void) {
  double residual = 0;
  int step = 0;
  for (int i = 0; i < n; i++) old[i][0] = now[i][0] = 100.0;
#pragma omp parallel default(none) shared(old, now, residual) private(step) num_threads(4)
  for (step = 0; step < steps; step++) {
#pragma omp barrier
#pragma omp single
    residual = 0;
#pragma omp for collapse(2) schedule(static)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        now[i][j] = 0.25 * (old[i - 1][j] + old[i + 1][j] + old[i][j - 1] + old[i][j + 1]);
#pragma omp for schedule(static) reduction(max : residual)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) {
        residual = fmax(residual, fabs(now[i][j] - old[i][j]));
        old[i][j] = now[i][j];
      }
  }
  printf("%.12f %.12f\n", residual, now[n / 2][n / 2]);
  return 0;
}
