/* Every schedule, with chunks and without. */
#include <omp.h>
#include <stdio.h>

int main(void) {
  long s[12] = {0};
  long a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;
  omp_set_schedule(omp_sched_dynamic, 5);
#pragma omp parallel for schedule(static) reduction(+ : a)
  for (int i = 0; i < 777; i++) a += i ^ (i >> 2);
#pragma omp parallel for schedule(static, 9) reduction(+ : b)
  for (int i = 0; i < 777; i++) b += i ^ (i >> 2);
#pragma omp parallel for schedule(dynamic) reduction(+ : c)
  for (int i = 776; i >= 0; i--) c += i ^ (i >> 2);
#pragma omp parallel for schedule(guided, 4) reduction(+ : d)
  for (int i = 0; i < 777; i++) d += i ^ (i >> 2);
#pragma omp parallel for schedule(auto) reduction(+ : e)
  for (int i = 0; i < 777; i++) e += i ^ (i >> 2);
#pragma omp parallel for schedule(runtime) reduction(+ : f)
  for (int i = 0; i < 777; i++) f += i ^ (i >> 2);
#pragma omp parallel for schedule(nonmonotonic : dynamic, 7) reduction(+ : g)
  for (unsigned i = 0; i < 777; i++) g += i ^ (i >> 2);
#pragma omp parallel for schedule(monotonic : guided) reduction(+ : h)
  for (long i = 0; i < 777; i++) h += i ^ (i >> 2);
#pragma omp parallel num_threads(3)
  {
#pragma omp for nowait schedule(static, 1)
    for (int i = 0; i < 12; i++) s[i] += i;
#pragma omp for schedule(static, 1)
    for (int i = 0; i < 12; i++) s[i] += 100;
  }
  printf("%ld %ld %ld %ld %ld %ld %ld %ld\n", a, b, c, d, e, f, g, h);
  for (int i = 0; i < 12; i++) printf("%ld ", s[i]);
  printf("\n");
  return 0;
}
