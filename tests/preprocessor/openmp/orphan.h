#pragma once
/* Constructs that belong to whatever region calls them. */
static inline double orphan(const double* a, int n) {
  static double sum;
#pragma omp single
  sum = 0;
#pragma omp for reduction(+ : sum)
  for (int i = 0; i < n; i++) sum += a[i];
#pragma omp barrier
  return sum;
}
