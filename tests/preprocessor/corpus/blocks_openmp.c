/* flags: -std=gnu11 -O2 -fopenmp -Wall -Wextra -Wshadow -Wno-unknown-pragmas */
/* flags: -std=gnu11 -O1 -Wall -Wextra -Wno-unknown-pragmas */
/* loops: all */
/* openmp: off */
#include <stdio.h>

static double a[64][64];

static void fills(int n) { /*+ fills */
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; i++) /*+ fills::{loop} */
    for (int j = 0; j < n; j++) a[i][j] = i - j; /*+ fills::{loop} */
#pragma omp parallel for collapse(2)
  for (int i = 0; i < n; i++) { /*+ fills::{loop} */
    for (int j = 0; j < n; j++) /*- one of several loops that a pragma combines */
      for (int k = 0; k < 3; k++) a[i][j] += k; /*+ fills::{loop} */
  }
}

static double sums(int n) { /*+ sums */
  double s = 0;
#ifdef _OPENMP
#pragma omp parallel for reduction(+ : s) \
    schedule(static)
#else
#pragma GCC ivdep
#endif
  /* what follows belongs to the pragma above */
  for (int i = 0; i < n; i++) s += a[i][i + 1]; /*+ sums::{loop} */
#pragma omp simd
  for (int i = 0; i < n; i++) { /*+ sums::{loop} */
    double t = 0;
    for (int j = 0; j < 4; j++) t += a[i][j]; /*- inside a simd loop */
    a[i][0] = t;
  }
  _Pragma("GCC unroll 4") for (int i = 0; i < n; i++) s += i; /*+ sums::{loop} */
#pragma GCC diagnostic push
#pragma GCC ivdep
  for (int i = 0; i < n; i++) a[0][i] += i; /*+ sums::{loop} */
#pragma GCC diagnostic pop
  return s;
}

#define UNROLL _Pragma("GCC unroll 4")
static int threads(int n) { /*+ threads */
  int s = 0;
#pragma omp parallel
  {
#pragma omp for reduction(+ : s)
    for (int i = 0; i < n; i++) s += i; /*+ threads::{loop} */
#pragma omp barrier
    for (int i = 0; i < n; i++) { /*+ threads::{loop} */
#pragma omp atomic
      s += i;
    }
#pragma omp sections
    {
#pragma omp section
      for (int i = 0; i < n; i++) a[1][i] = 1; /*+ threads::{loop} */
#pragma omp section
      for (int i = 0; i < n; i++) a[2][i] = 1; /*+ threads::{loop} */
    }
#pragma omp single
    while (s < 0) s++; /*+ threads::{loop} */
  }
#pragma omp parallel default(none) shared(s, n)
  {
#pragma omp master
    for (int i = 0; i < n; i++) s += i; /*+ threads::{loop} */
  }
  UNROLL for (int i = 0; i < n; i++) s += i; /*- under a pragma from a macro */
  return s;
}

int main(void) { /*+ main */
  int s = 0;
#pragma andes region "fill" /*+ fill */
#pragma omp parallel for
  for (int n = 4; n < 5; n++) fills(40);
#pragma omp parallel
#pragma andes region "block" /*+ block */
  {
#pragma omp single
#pragma andes phase "one" /*+ one */
    s = threads(9);
  }
  printf("%g %d\n", sums(50), s > 0);
  return 0;
}
