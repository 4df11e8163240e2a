/* Teams within teams, of sizes that are set; some serial, some by the clause if. */
#include <omp.h>
#include <stdio.h>

static long inner(int outer, int threads) {
  long sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum) firstprivate(outer) if (outer != 2)
  {
    sum += 100 * outer + omp_get_num_threads() * 0 + omp_get_level();
#pragma omp for
    for (int i = 0; i < 50; i++) sum += i;
  }
  return sum;
}

int main(void) {
  long total = 0, members = 0;
  omp_set_max_active_levels(3);
  omp_set_dynamic(0);
#pragma omp parallel num_threads(3) reduction(+ : total)
  {
    const int me = omp_get_thread_num();
    total += inner(me, me + 1);
#pragma omp parallel num_threads(2) shared(members)
    {
#pragma omp parallel num_threads(2)
      {
#pragma omp critical (members)
        members += omp_get_ancestor_thread_num(1) == me;
      }
    }
  }
  printf("%ld %ld\n", total, members);
  omp_set_max_active_levels(1);
#pragma omp parallel num_threads(2) reduction(+ : total)
#pragma omp parallel num_threads(2) reduction(+ : total)
  total++;
  printf("%ld\n", total);
  return 0;
}
