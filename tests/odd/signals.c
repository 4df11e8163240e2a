/* signals.c: handlers that call functions with probes, while the program is in functions with probes.
 *
 *   signals CASE */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "ways.h"

static volatile sig_atomic_t ticks;
FUNCTION void noted(void) { ticks++; }
static void handler(int number) {
  (void)number;
  noted();
  leaf(); /* which the program may be in */
}
static void timer_on(int period_us) {
  struct sigaction action = {0};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  NEED(sigaction(SIGALRM, &action, NULL) == 0);
  const struct itimerval every = {{0, period_us}, {0, period_us}};
  NEED(setitimer(ITIMER_REAL, &every, NULL) == 0);
}
static void timer_off(void) {
  const struct itimerval none = {{0, 0}, {0, 0}};
  NEED(setitimer(ITIMER_REAL, &none, NULL) == 0);
  struct sigaction action = {0};
  action.sa_handler = SIG_IGN;
  NEED(sigaction(SIGALRM, &action, NULL) == 0);
}

FUNCTION void inner(void) { leaf(); }
FUNCTION void outer(int i) {
  inner();
  if (i % 2) leaf();
}
FUNCTION int timer(void) {
  long calls = 0;
  timer_on(200);
  while (ticks < 2000) outer((int)(calls++));
  timer_off();
  fprintf(stderr, "count noted %d outer %ld inner %ld leaf %ld\n", (int)ticks, calls, calls,
          calls + calls / 2 + ticks);
  return 3;
}

/* New call paths all the time, so that the handler often finds the monitor at work. */
FUNCTION int timer_on_new_paths(void) {
  unsigned calls = 0;
  timer_on(100);
  while (calls < way_count || ticks < 1000) walk(4, calls++ % way_count);
  timer_off();
  fprintf(stderr, "count noted %d leaf %u\n", (int)ticks, calls + (unsigned)ticks);
  return 3;
}

/* A signal whose handler the monitor has met before anything else of the thread. */
static void *idle(void *unused) {
  (void)unused;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  int number;
  sigwait(&set, &number);
  return NULL;
}
FUNCTION int first_in_handler(void) {
  struct sigaction action = {0};
  action.sa_handler = handler;
  NEED(sigaction(SIGUSR1, &action, NULL) == 0);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  for (int i = 0; i < 20; i++) {
    pthread_t thread;
    NEED(pthread_create(&thread, NULL, idle, NULL) == 0);
    const sig_atomic_t before = ticks;
    pthread_kill(thread, SIGUSR1);
    while (ticks == before) usleep(100);
    pthread_kill(thread, SIGUSR2);
    pthread_join(thread, NULL);
  }
  printf("%d\n", (int)ticks);
  return 3;
}

int main(int argc, char **argv) {
  static const struct odd_case cases[] = {{"timer", timer},
                                          {"timer_on_new_paths", timer_on_new_paths},
                                          {"first_in_handler", first_in_handler}};
  RUN_CASE(cases, argc > 1 ? argv[1] : "");
}
