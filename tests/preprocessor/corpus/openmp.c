/* flags: -std=gnu11 -O2 -fopenmp -Wall -Wextra -Wshadow -Wno-unknown-pragmas */
/* flags: -std=gnu11 -O0 -fopenmp -Wall -Wextra -Wno-unknown-pragmas */
/* loops: outer */
#include <stdio.h>

static double a[64][64];
static int where;
#pragma omp threadprivate(where)
#define PRAGMA(x) _Pragma(#x)
#define LOOP(i, n) for (int i = 0; i < (n); i++)
#define ADD(s) s++;

static int shares(int n) { /*+ shares */
  int s = 0, last = 0;
#pragma omp parallel default(none) shared(s, n, a, last) /*+ parallel */
  {
#pragma omp for schedule(dynamic) collapse(2) /*+ for */
    for (int i = 0; i < n; i++) /*- the same as for of line 17 */
      for (int j = 0; j < n; j++) a[i][j] = i * j; /*- one of several loops that a pragma combines */
#pragma omp barrier /*+ barrier */
#pragma omp sections lastprivate(last) /*+ sections */
    {
      last = 1; /*+ section */
#pragma omp section /*+ section */
      LOOP(i, 5) last = i; /*+ shares::{loop} */
    }
#pragma omp single /*+ single */
    for (int i = 0; i < n; i++) { /*+ shares::{loop} */
#pragma omp task firstprivate(i) /*+ task */ \
    shared(s)
      for (int k = 0; k < i; k++) where++; /*- inside the loop of line 28 */
    }
#pragma omp taskwait /*+ taskwait */
#pragma omp master /*+ master */
#pragma omp critical (queue) /*+ critical (queue) */
    s++;
  }
  return s + last;
}

static int combined(int n) { /*+ combined */
  int s = 0;
#pragma omp parallel for simd reduction(+ : s) /*+ parallel for */
  for (int i = 0; i < n; i++) s += i; /*- the same as parallel for of line 43 */
#pragma omp parallel sections reduction(+ : s) /*+ parallel sections */
  {
#pragma omp section /*+ section */
    s++;
#pragma omp section /*+ section */
    {}
  }
#pragma omp parallel /*+ parallel */
#pragma omp single nowait /*+ single */
#pragma omp taskloop grainsize(4) /*+ taskloop */
  LOOP(i, n) /*- the same as taskloop of line 54 */
  {
#pragma omp atomic /*- a few instructions */
    s++;
  }
#pragma omp parallel /*+ parallel */
  {
#pragma omp for simd /*+ for */
    for (int i = 0; i < n; i++) a[0][i] = i; /*- the same as for of line 62 */
#pragma omp flush /*- a few instructions */
#pragma omp taskgroup /*+ taskgroup */
    {
#pragma omp task untied /*- untied: it may end on another thread */
      {
#pragma omp critical /*- inside an untied task */
        s++;
      }
    }
#pragma omp taskyield /*- a few instructions */
#pragma omp for ordered /*+ for */
    for (int i = 0; i < n; i++) { /*- the same as for of line 74 */
#pragma omp ordered /*- part of each iteration of its loop */
      s++;
    }
#pragma omp for /*+ for */
    for (int i = 0; i < n; i++) { /*- the same as for of line 79 */
#pragma omp cancellation point for /*- a jump */
    }
  }
  return s;
}

static int stays(int n) { /*+ stays */
  int s = 0;
#pragma omp target map(tofrom : s) /*- device code */
  {
#pragma omp parallel for reduction(+ : s) /*- device code */
    for (int i = 0; i < n; i++) s += i; /*- device code */
  }
#pragma omp teams distribute parallel for /*- made for devices */
  for (int i = 0; i < n; i++) a[i][1] = i; /*+ stays::{loop} */
#pragma omp simd reduction(+ : s) /*- vector instructions of one thread */
  for (int i = 0; i < n; i++) s += i; /*+ stays::{loop} */
  _Pragma("omp parallel for reduction(+ : s)") LOOP(i, 9) s += i; /*- not a line of its own */ /*+ stays::{loop} */
  PRAGMA(omp parallel) /*- comes from a macro */
  {}
#pragma omp parallel /*- begins or ends inside a macro */
  ADD(s)
#pragma omp parallel num_threads(2) /*+ parallel */
  {
#pragma andes region "marked" /*+ marked */
#pragma omp critical /*+ critical */
    s++;
#pragma andes region "loop" /*+ loop */
#pragma omp for /*+ for */
    for (int i = 0; i < n; i++) a[i][2] = i;
  }
  return s * 0;
}

int main(void) { /*+ main */
  printf("%d\n", shares(9) + combined(20) + stays(9));
  return 0;
}
