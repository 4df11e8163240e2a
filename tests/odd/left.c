/* left.c: signal handlers that leave for ever what they interrupt, at any instruction, the monitor's own work
 * included: by a jump, by the end of the thread, by cancelling it.
 *
 *   left CASE */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "ways.h"

static volatile sig_atomic_t ticks;
FUNCTION void after(void) { __asm__ volatile(""); }

static __thread sigjmp_buf place;
static __thread volatile sig_atomic_t may_jump;
static void jumps_out(int number) {
  (void)number;
  ticks++;
  if (!may_jump) return;
  may_jump = 0;
  siglongjmp(place, 1);
}
FUNCTION void tries(unsigned way) {
  if (sigsetjmp(place, 1) == 0) {
    may_jump = 1;
    walk(4, way);
    walk(3, way);
  }
  may_jump = 0;
}
/* As alarm() and siglongjmp() make a time limit. */
FUNCTION int jumped(void) {
  struct sigaction action = {.sa_handler = jumps_out, .sa_flags = SA_RESTART};
  const struct itimerval every = {{0, 100}, {0, 100}}, none = {{0, 0}, {0, 0}};
  unsigned calls = 0;
  NEED(sigaction(SIGALRM, &action, NULL) == 0);
  NEED(setitimer(ITIMER_REAL, &every, NULL) == 0);
  while (ticks < 1000 || calls < way_count) tries(calls++ * 7919u % way_count);
  setitimer(ITIMER_REAL, &none, NULL);
  for (int i = 0; i < 100; i++) after();
  fprintf(stderr, "count tries %u after 100\n", calls);
  return 3;
}

static timer_t start_timer(int signal, long nanoseconds) {
  struct sigevent to_me = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = signal};
  const struct itimerspec every = {{0, nanoseconds}, {0, nanoseconds}};
  timer_t timer;
  to_me._sigev_un._tid = (int)syscall(SYS_gettid);
  NEED(timer_create(CLOCK_MONOTONIC, &to_me, &timer) == 0);
  NEED(timer_settime(timer, 0, &every, NULL) == 0);
  return timer;
}

/* The same from stacks of the handlers' own, in threads; another handler comes to the same stack, and goes back. */
static void goes_back(int number) { (void)number; }
static void *tries_in_thread(void *rounds) {
  const stack_t other = {.ss_sp = malloc(65536), .ss_size = 65536}, none = {.ss_flags = SS_DISABLE};
  NEED(sigaltstack(&other, NULL) == 0);
  timer_t to_jump = start_timer(SIGALRM, 200000), to_go_back = start_timer(SIGUSR1, 130000);
  for (unsigned i = 0; i < (uintptr_t)rounds; i++) tries(i * 7919u % way_count);
  timer_delete(to_jump);
  timer_delete(to_go_back);
  for (int i = 0; i < 100; i++) after();
  usleep(1000);
  sigaltstack(&none, NULL);
  free(other.ss_sp);
  return NULL;
}
FUNCTION int jumped_from_other_stacks(void) {
  const struct sigaction jump = {.sa_handler = jumps_out, .sa_flags = SA_RESTART | SA_ONSTACK};
  const struct sigaction go_back = {.sa_handler = goes_back, .sa_flags = SA_RESTART | SA_ONSTACK};
  pthread_t threads[3];
  NEED(sigaction(SIGALRM, &jump, NULL) == 0 && sigaction(SIGUSR1, &go_back, NULL) == 0);
  for (int i = 0; i < 3; i++)
    NEED(pthread_create(&threads[i], NULL, tries_in_thread, (void *)(uintptr_t)20000) == 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  fprintf(stderr, "count tries 60000 after 300\n");
  return 3;
}

static void *walks(void *first) {
  for (unsigned way = (unsigned)(uintptr_t)first;; way += 7919) walk(4, way % way_count);
  return NULL;
}
static void *walks_until_cancelled(void *first) {
  int before;
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &before);
  return walks(first);
}
static void leaves(int number) {
  (void)number;
  pthread_exit(NULL);
}
static int threads_end(void *(*run)(void *), int signal) {
  for (unsigned i = 0; i < 200; i++) {
    const struct timespec some_time = {0, 200000 + 5000 * i};
    pthread_t thread;
    NEED(pthread_create(&thread, NULL, run, (void *)(uintptr_t)(1009 * i)) == 0);
    nanosleep(&some_time, NULL);
    if (signal) pthread_kill(thread, signal);
    else pthread_cancel(thread);
    pthread_join(thread, NULL);
    after();
  }
  fprintf(stderr, "count after 200\n");
  return 3;
}
FUNCTION int cancelled(void) { return threads_end(walks_until_cancelled, 0); }
FUNCTION int ended(void) {
  NEED(signal(SIGUSR1, leaves) != SIG_ERR);
  return threads_end(walks, SIGUSR1);
}

int main(int argc, char **argv) {
  static const struct odd_case cases[] = {{"jumped", jumped},
                                          {"jumped_from_other_stacks", jumped_from_other_stacks},
                                          {"cancelled", cancelled},
                                          {"ended", ended}};
  RUN_CASE(cases, argc > 1 ? argv[1] : "");
}
