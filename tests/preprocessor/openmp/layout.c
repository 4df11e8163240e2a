/* Directives wherever a statement may stand, written in every way. */
#include <stdio.h>

#define PRAGMA(x) _Pragma(#x)
#define THREADS 3
#define SUM(sum, n) \
  do { \
    PRAGMA(omp parallel for reduction(+ : sum)) \
    for (int i_ = 0; i_ < (n); i_++) sum += i_; \
  } while (0)

static int branches(int n) {
  int s = 0;
  if (n % 2)
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) s += i;
  else
#pragma omp parallel reduction(+ : s) num_threads(2)
    s += n;
  for (int i = 0; i < 2; i++)
#pragma omp parallel num_threads(2)
#pragma omp single
    s++;
  switch (n) {
  case 3:
#pragma omp parallel num_threads(2)
    {
#pragma omp critical
      s += 100;
    }
    break;
  default:
#pragma omp parallel num_threads(THREADS)
#pragma omp master
    s += 1000;
  }
  goto label;
label:
#pragma omp parallel num_threads(2)
  { /* a comment */
#pragma omp barrier /* of two
       lines */
#pragma omp barrier
#  pragma   omp   critical /* spaces */ (name)
    s += 1; }
  do
#pragma omp parallel
    {
#pragma omp single
      s -= 1;
    }
  while (s % 2);
  while (s > 2000)
#pragma omp parallel num_threads(1)
    s -= 1;
  return s;
}

static int texts(int n) {
  int s = 0;
	/* a tab before */ /* and a comment */
	#pragma omp parallel \
	    num_threads(THREADS) /* what \
	    follows */ \
	    reduction(+ : \
	    s)
	s += n;
#ifdef _OPENMP
#pragma omp parallel for reduction(+ : s) // on a condition
#else
#pragma GCC ivdep
#endif
  // between
  /* more */ for (int i = 0; i < n; i++) s += i; int after = __LINE__; s += after;
#pragma omp parallel reduction(+ : s)
  {
#if 1
#pragma omp single
#else
    s++;
#endif
    s += __LINE__; /* 81 */
  }
  PRAGMA(omp parallel for reduction(+ : s)) for (int i = 0; i < n; i++) s += i;
  SUM(s, n);
  _Pragma("omp parallel num_threads(2)") { _Pragma("omp critical") s++; }
#pragma omp parallel num_threads(2)
  {}
#pragma omp parallel num_threads(2)
  ;
  return s + __LINE__;
}

int main(void) {
  for (int n = 0; n < 5; n++) printf("%d %d\n", branches(n), texts(n));
  return __LINE__;
}
