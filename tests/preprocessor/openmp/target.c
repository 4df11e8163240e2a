/* Target constructs, which run on the host where there is no device. */
#include <omp.h>
#include <stdio.h>

#pragma omp declare target
static int twice(int n) { return 2 * n; }
#pragma omp end declare target

int main(void) {
  int a[64], sum = 0;
#pragma omp target map(from : a)
  {
#pragma omp parallel for
    for (int i = 0; i < 64; i++) a[i] = twice(i);
  }
#pragma omp target teams distribute parallel for map(tofrom : a, sum) reduction(+ : sum)
  for (int i = 0; i < 64; i++) sum += a[i];
#pragma omp target data map(tofrom : a)
  {
#pragma omp target parallel for
    for (int i = 0; i < 64; i++) a[i]++;
#pragma omp target update from(a)
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 64; i++) sum += a[i];
  }
#pragma omp target teams num_teams(2) map(tofrom : sum)
#pragma omp distribute
  for (int i = 0; i < 4; i++) {
#pragma omp atomic
    sum += i;
  }
  printf("%d %d\n", sum, a[63]);
  return 0;
}
