/* Critical sections: without a name, with one, with a hint, one in the other; and locks. */
#include <omp.h>
#include <stdio.h>

static int plain, named, hinted, both, locked, nested;
static omp_lock_t lock;
static omp_nest_lock_t nest;

static void deeper(int n) {
  omp_set_nest_lock(&nest);
  nested++;
  if (n > 0) deeper(n - 1);
  omp_unset_nest_lock(&nest);
}

int main(void) {
  omp_init_lock(&lock);
  omp_init_nest_lock(&nest);
#pragma omp parallel num_threads(4)
  for (int i = 0; i < 200; i++) {
#pragma omp critical
    plain++;
#pragma omp critical(queue)
    {
      named++;
#pragma omp critical (inner)
      both += named > 0;
    }
#pragma omp critical (hinted) hint(omp_sync_hint_contended)
    hinted += 2;
    omp_set_lock(&lock);
    locked++;
    omp_unset_lock(&lock);
    if (omp_test_lock(&lock)) omp_unset_lock(&lock);
    if (i % 20 == 0) deeper(3);
  }
  printf("%d %d %d %d %d %d\n", plain, named, hinted, both, locked, nested);
  omp_destroy_lock(&lock);
  omp_destroy_nest_lock(&nest);
  return 0;
}
