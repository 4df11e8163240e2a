/* Teams with known answers: threads work, asleep, to deadlines.
 *   teams imbalance REGIONS   thread t of 3 works 20 (t + 1) ms, a barrier, thread t of 3 works 10 (3 - t) ms; between
 *                             the regions and behind the last one 30 ms of the first thread alone
 *   teams critical            3 threads enter a critical section, 20 ms each
 *   teams nested              2 threads, in each a team of 2 in which thread t works 20 (t + 1) ms
 *   teams shrinking           a team of 3, then 200 of 2, all empty; then 40 ms; then a team of 3, 20 ms each
 *   teams leave               thread 1 of 3 calls exit() at 40 ms, the others work 20 ms and then wait for it
 *   teams tasks               one of 3 threads makes 4 tasks of 20 ms, an untied one of 60 ms in three parts that has a
 *                             tied one of 20 ms beside its second, and a taskloop of 4 tasks of 10 ms
 *   teams undeferred          one of 2 threads makes a task of 40 ms, then one that depends on it and runs at once, 10 ms
 *   teams held                2 threads take a nest lock twice and work 20 ms with it
 *   teams doacross            thread 1 of 2 waits for a round of a loop that takes the other one 40 ms; its own: 10 ms
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

__attribute__((noinline)) static void imbalance(int regions) {
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

static void tasks(void) {
#pragma omp parallel num_threads(3)
#pragma omp single
  {
    for (int i = 0; i < 4; i++) {
#pragma omp task
      until(now() + 0.020);
    }
#pragma omp task untied
    {
      until(now() + 0.020);
#pragma omp task
      until(now() + 0.020);
      until(now() + 0.020);
#pragma omp taskwait
      until(now() + 0.020);
    }
#pragma omp taskloop num_tasks(4)
    for (int i = 0; i < 4; i++) until(now() + 0.010);
  }
}

static void undeferred(void) {
  int made = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task shared(made) depend(out : made)
    until(now() + 0.040);
    until(now() + 0.010); /* the other thread has begun with it */
#pragma omp task shared(made) depend(in : made) if (0)
    until(now() + 0.010);
  }
}

static void held(void) {
  omp_nest_lock_t lock;
  omp_init_nest_lock(&lock);
#pragma omp parallel num_threads(2)
  {
    omp_set_nest_lock(&lock);
    omp_set_nest_lock(&lock);
    until(now() + 0.020);
    omp_unset_nest_lock(&lock);
    omp_unset_nest_lock(&lock);
  }
  omp_destroy_nest_lock(&lock);
}

static void doacross(void) {
  int done[3] = {1, 0, 0};
#pragma omp parallel for num_threads(2) ordered(1) schedule(static, 1)
  for (int i = 1; i < 3; i++) {
    if (i == 1) until(now() + 0.040);
#pragma omp ordered depend(sink : i - 1)
    done[i] = done[i - 1];
    if (i == 2) until(now() + 0.010);
#pragma omp ordered depend(source)
  }
  if (!done[2]) abort();
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
  else if (strcmp(what, "tasks") == 0) tasks();
  else if (strcmp(what, "undeferred") == 0) undeferred();
  else if (strcmp(what, "held") == 0) held();
  else if (strcmp(what, "doacross") == 0) doacross();
  else if (strcmp(what, "leave") == 0) leave();
  else if (strcmp(what, "killed") == 0) killed();
  else return 2;
  return 0;
}
