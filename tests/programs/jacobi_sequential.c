/* The best sequential program for what jacobi.c does: no MPI, no strips, no ghost rows to keep.
 *
 *   jacobi_sequential SIZE ITERATIONS
 *
 * It is the base of `andes report --sequential`, and the test program without MPI. The answer is
 * known as in jacobi.c, and it prints the same line of result.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counts.h"

struct grid {
  int size;
  double* now;
  double* next;
};

static double* make_sines(int size) {
  COUNT_VISIT();
  double* sine = malloc(sizeof(double) * (size_t)(size + 2));
  if (!sine) return NULL;
  for (int i = 0; i <= size + 1; ++i) sine[i] = sin(M_PI * i / (size + 1));
  sine[size + 1] = 0.0;
  return sine;
}

static inline double solution(const double* sine, int size, int row, int column, double mode) {
  double h = 1.0 / (size + 1), x = column * h, y = row * h;
  return x * x - y * y + mode * sine[column] * sine[row];
}

static int make_grid(struct grid* g, int size, const double* sine) {
  COUNT_VISIT();
  size_t width = (size_t)size + 2, points = width * width;
  g->size = size;
  g->now = malloc(points * sizeof(double));
  g->next = malloc(points * sizeof(double));
  if (!g->now || !g->next) return 0;
  for (int i = 0; i < size + 2; ++i)
    for (int j = 0; j < size + 2; ++j)
      g->now[(size_t)i * width + (size_t)j] = solution(sine, size, i, j, 1.0);
  memcpy(g->next, g->now, points * sizeof(double));
  return 1;
}

static void relax(struct grid* g) {
  COUNT_VISIT();
  size_t width = (size_t)g->size + 2;
  for (int i = 1; i <= g->size; ++i) {
    const double* row = g->now + (size_t)i * width;
    double* out = g->next + (size_t)i * width;
    for (int j = 1; j <= g->size; ++j)
      out[j] = 0.25 * (row[j - (long)width] + row[j + (long)width] + row[j - 1] + row[j + 1]);
  }
  double* now = g->now;
  g->now = g->next;
  g->next = now;
}

static double change(const struct grid* g) {
  COUNT_VISIT();
  size_t width = (size_t)g->size + 2;
  double largest = 0.0;
  for (size_t i = 0; i < width * width; ++i)
    if (fabs(g->now[i] - g->next[i]) > largest) largest = fabs(g->now[i] - g->next[i]);
  return largest;
}

static double solve(struct grid* g, int iterations) {
  COUNT_VISIT();
  double last = 0.0;
  for (int k = 1; k <= iterations; ++k) {
    relax(g);
    if (k % 100 == 0 || k == iterations) last = change(g);
  }
  return last;
}

static double check(const struct grid* g, const double* sine, int iterations) {
  COUNT_VISIT();
  double mode = pow(cos(M_PI / (g->size + 1)), iterations), largest = 0.0;
  size_t width = (size_t)g->size + 2;
  for (int i = 1; i <= g->size; ++i)
    for (int j = 1; j <= g->size; ++j) {
      double d = fabs(g->now[(size_t)i * width + (size_t)j] - solution(sine, g->size, i, j, mode));
      if (d > largest) largest = d;
    }
  return largest;
}

int main(int argc, char** argv) {
  COUNT_VISIT();
  struct grid g;
  if (argc < 3 || atoi(argv[1]) < 1 || atoi(argv[2]) < 0) {
    fprintf(stderr, "usage: jacobi_sequential SIZE ITERATIONS [--counts]\n");
    return 2;
  }
  int size = atoi(argv[1]), iterations = atoi(argv[2]);
  double* sine = make_sines(size);
  if (!sine || !make_grid(&g, size, sine)) {
    fprintf(stderr, "jacobi_sequential: no memory for %d x %d points\n", size, size);
    return 1;
  }
  double last = solve(&g, iterations);
  double error = check(&g, sine, iterations);
  printf("jacobi: %d x %d, %d iterations: change %.12e, error %.3e: %s\n", size, size, iterations,
         last, error, error < 1e-11 ? "right" : "WRONG");
  free(g.now);
  free(g.next);
  free(sine);
  if (argc > 3 && strcmp(argv[3], "--counts") == 0) counts_print(0);
  return !(error < 1e-11);
}
