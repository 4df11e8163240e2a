/* A search that ends at the first hit, by `if` around the cancelling and by its clause. */
#include <omp.h>
#include <stdio.h>

static int search(const int* all, int n, int what) {
  int found = 0;
#pragma omp parallel
  {
#pragma omp for schedule(static, 4)
    for (int i = 0; i < n; i++) {
      if (all[i] == what) {
#pragma omp atomic write
        found = 1;
#pragma omp cancel for
      }
#pragma omp cancellation point for
    }
#pragma omp critical (tally)
    {
      if (found > 0) found++;
    }
  }
  return found;
}

static int search_at_once(const int* all, int n, int what) {
  int found = -1;
#pragma omp parallel shared(found)
#pragma omp for
  for (int i = 0; i < n; i++) {
    int hit = all[i] == what;
    if (hit) {
#pragma omp atomic write
      found = i;
    }
#pragma omp cancel for if (hit)
  }
  return found;
}

int main(void) {
  int all[1000];
  for (int i = 0; i < 1000; i++) all[i] = i * 7 % 1000;
  for (int what = 998; what < 1003; what++)
    printf("%d %d\n", search(all, 1000, what), search_at_once(all, 1000, what));
  return 0;
}
