/* Nanoseconds of an empty parallel region, a barrier, a critical section and an empty task, for teams of one and of two threads:
 * the smallest of many short rounds each. Started by bench_openmp, in turns with the monitor and without. */
#include <omp.h>
#include <stdio.h>
#include <time.h>

enum { rounds = 200, times = 100 };

static double now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

static double least(double a, double b) { return a < b ? a : b; }

static void work(void) { __asm__ volatile(""); }

static void region(int threads) {
  double cost_ns = 1e9;
  for (int round = 0; round < rounds; round++) {
    const double begin_ns = now_ns();
    for (int i = 0; i < times; i++) {
#pragma omp parallel num_threads(threads)
      work();
    }
    cost_ns = least(cost_ns, (now_ns() - begin_ns) / times);
  }
  printf("region %d %.1f\n", threads, cost_ns);
}

static void barriers(int threads) {
  double cost_ns = 1e9;
#pragma omp parallel num_threads(threads)
  for (int round = 0; round < rounds; round++) {
    const double begin_ns = now_ns();
    for (int i = 0; i < times; i++) {
#pragma omp barrier
    }
#pragma omp master
    cost_ns = least(cost_ns, (now_ns() - begin_ns) / times);
  }
  printf("barrier %d %.1f\n", threads, cost_ns);
}

static void criticals(int threads) {
  double cost_ns = 1e9;
#pragma omp parallel num_threads(threads)
  for (int round = 0; round < rounds; round++) {
    const double begin_ns = now_ns();
    for (int i = 0; i < times; i++) {
#pragma omp critical
      work();
    }
#pragma omp master
    cost_ns = least(cost_ns, (now_ns() - begin_ns) / times);
  }
  printf("critical %d %.1f\n", threads, cost_ns);
}

static void tasks(int threads) {
  double cost_ns = 1e9;
#pragma omp parallel num_threads(threads)
#pragma omp single
  for (int round = 0; round < rounds; round++) {
    const double begin_ns = now_ns();
    for (int i = 0; i < times; i++) {
#pragma omp task
      work();
    }
#pragma omp taskwait
    cost_ns = least(cost_ns, (now_ns() - begin_ns) / times);
  }
  printf("task %d %.1f\n", threads, cost_ns);
}

int main(void) {
  for (int threads = 1; threads <= 2; threads++) {
    region(threads);
    barriers(threads);
    criticals(threads);
    tasks(threads);
  }
  return 0;
}
