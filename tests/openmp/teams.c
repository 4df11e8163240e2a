/* Teams with known answers: threads work, asleep, to deadlines.
 *   teams imbalance REGIONS   thread t of 3 works 20 (t + 1) ms, a barrier, thread t of 3 works 10 (3 - t) ms; between
 *                             the regions and behind the last one 30 ms of the first thread alone
 *   teams critical            3 threads enter a critical section, 20 ms each
 *   teams nested              2 threads, in each a team of 2 in which thread t works 20 (t + 1) ms
 *   teams shrinking           a team of 3, then 200 of 2, all empty; then 40 ms; then a team of 3, 20 ms each
 *   teams leave               thread 1 of 3 calls exit() at 40 ms, the others work 20 ms and then wait for it
 *   teams killed              a region of 3, 20 ms, then 60 ms alone, then SIGKILL */
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static void until(double end_s) {
  double left;
  while ((left = end_s - now()) > 0) {
    struct timespec t = {(time_t)left, (long)((left - (time_t)left) * 1e9)};
    nanosleep(&t, NULL);
  }
}

static void imbalance(int regions) {
  double begin = now();
  for (int i = 0; i < regions; i++, begin += 0.120) {
#pragma omp parallel num_threads(3)
    {
      const int t = omp_get_thread_num();
      until(begin + 0.020 * (t + 1));
#pragma omp barrier
      until(begin + 0.060 + 0.010 * (3 - t));
    }
    until(begin + 0.120);
  }
}

static void critical(void) {
#pragma omp parallel num_threads(3)
  {
#pragma omp critical(alone)
    until(now() + 0.020);
  }
}

static void nested(void) {
  const double begin = now();
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
  until(begin + 0.020 * (omp_get_thread_num() + 1));
}

static void empty(int threads) {
#pragma omp parallel num_threads(threads)
  __asm__ volatile("");
}

static void shrinking(void) {
  empty(3);
  for (int i = 0; i < 200; i++) empty(2);
  until(now() + 0.040);
  const double begin = now();
#pragma omp parallel num_threads(3)
  until(begin + 0.020);
}

static void leave(void) {
  const double begin = now();
#pragma omp parallel num_threads(3)
  {
    if (omp_get_thread_num() == 1) {
      until(begin + 0.040);
      exit(0);
    }
    until(begin + 0.020);
  }
}

static void killed(void) {
  const double begin = now();
#pragma omp parallel num_threads(3)
  until(begin + 0.020);
  until(begin + 0.080);
  kill(getpid(), SIGKILL);
}

int main(int count, char** arguments) {
  const char* what = count > 1 ? arguments[1] : "";
  if (strcmp(what, "imbalance") == 0) imbalance(atoi(arguments[2]));
  else if (strcmp(what, "critical") == 0) critical();
  else if (strcmp(what, "nested") == 0) nested();
  else if (strcmp(what, "shrinking") == 0) shrinking();
  else if (strcmp(what, "leave") == 0) leave();
  else if (strcmp(what, "killed") == 0) killed();
  else return 2;
  return 0;
}
