/* Every construct where each variable must be listed: probes are none of them. */
#include <omp.h>
#include <stdio.h>

static int table[100];

static int work(int n) {
  int a[100], sum = 0, count = 0;
  int* const p = a;
#pragma omp parallel default(none) shared(a, sum, count, n, p, table)
  {
    static int calls;
    int mine = 0;
#pragma omp for schedule(dynamic, 8)
    for (int i = 0; i < n; i++) a[i] = i;
#pragma omp for reduction(+ : sum) nowait
    for (int i = 0; i < n; i++) sum += p[i];
#pragma omp barrier
#pragma omp critical (c)
    {
      calls++;
      count += calls > 0;
    }
#pragma omp sections
    {
#pragma omp section
      table[0] = 1;
#pragma omp section
      {
        for (int i = 1; i < 100; i++) table[i] = i;
      }
    }
#pragma omp single
    {
      for (int i = 0; i < 10; i++)
#pragma omp task default(none) shared(sum) firstprivate(i)
      {
        int t = i;
#pragma omp atomic
        sum += t;
      }
#pragma omp taskwait
#pragma omp taskgroup
      {
#pragma omp task default(none) shared(sum, a)
        {
          for (int i = 0; i < 3; i++) sum += a[i];
        }
      }
    }
#pragma omp master
    mine++;
#pragma omp parallel for default(none) shared(a) firstprivate(mine)
    for (int i = 0; i < 100; i++) a[i] += mine * 0;
#pragma omp parallel num_threads(2) default(none) shared(count)
    {
#pragma omp atomic
      count += 0;
    }
  }
  return sum + count / omp_get_max_threads() + table[99];
}

inline int visible_elsewhere(int n);
inline int visible_elsewhere(int n) {
  int sum = 0;
#pragma omp parallel for default(none) shared(sum, n)
  for (int i = 0; i < n; i++) {
#pragma omp critical
    sum += i;
  }
  return sum;
}
extern int visible_elsewhere(int n);

int main(void) {
  printf("%d %d\n", work(100), visible_elsewhere(30));
  return 0;
}
