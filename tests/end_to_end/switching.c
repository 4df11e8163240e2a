/* switching.c: measuring switched off and on by MPI_Pcontrol at different depths of the tree, in steps
 * of 50 ms, with probes set by hand. What each case must give stands in test_control.py.
 *
 *   switching CASE      one rank */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "andes/probe.h"
#include "known/clock.h"

#define PROBE(name)                                                                                \
  static struct andes_site andes_site_ = ANDES_SITE(name, __FILE__, __LINE__, ANDES_KIND_FUNCTION); \
  ANDES_PROBE(&andes_site_)
#define FUNCTION __attribute__((noinline)) static void

static int64_t step_ns;  /* end of the last step; steps follow each other without a gap */

static void off(void) { MPI_Pcontrol(0); }
static void on(void) { MPI_Pcontrol(1); }

FUNCTION leaf(void) {
  PROBE("leaf")
  sleep_until(step_ns += 50000000);
}

/* Off in f, on after f and g have been left. */
FUNCTION f_off(void) {
  PROBE("f")
  leaf();
  off();
  leaf();
}
FUNCTION g_off(void) {
  PROBE("g")
  leaf();
  f_off();
  leaf();
}
static void left(void) {
  g_off();
  on();
  leaf();
}

/* Off outside, on in f inside g: both were never entered. */
FUNCTION f_on(void) {
  PROBE("f")
  leaf();
  on();
  leaf();
}
FUNCTION g_on(void) {
  PROBE("g")
  f_on();
  leaf();
}
static void deeper(void) {
  leaf();
  off();
  g_on();
  leaf();
}

/* What is on is not switched on again, nor off what is off. */
static void twice(void) {
  on();
  leaf();
  off();
  leaf();
  off();
  leaf();
  on();
  leaf();
  on();
  leaf();
}

/* Off in a function that stays open, and on in it again, three times. */
FUNCTION blinking(void) {
  PROBE("g")
  for (int i = 0; i < 3; i++) {
    leaf();
    off();
    leaf();
    on();
  }
}

FUNCTION never_on(void) {
  PROBE("g")
  leaf();
  off();
  leaf();
}

/* Off in the second of three, on in the third, which was never entered. */
FUNCTION recursive(int depth) {
  PROBE("r")
  leaf();
  if (depth == 2) off();
  if (depth > 1) recursive(depth - 1);
  if (depth == 1) on();
  leaf();
}

/* Worker 0 sleeps from 0 to 300 ms in one visit; main switches off at 100 and on at 200; worker 1
 * begins at 150 and sleeps in two visits, from 150 to 220 and on to 280. */
static void* worker(void* begin_ms) {
  const int64_t begin_ns = step_ns + 1000000 * *(int*)begin_ms;
  PROBE("worker")
  sleep_until(begin_ns);
  {
    PROBE("first")
    sleep_until(step_ns + 1000000 * (*(int*)begin_ms ? 220 : 300));
  }
  if (*(int*)begin_ms) {
    PROBE("second")
    sleep_until(step_ns + 280000000);
  }
  return NULL;
}
static void threads(void) {
  static int begins_ms[] = {0, 150};
  pthread_t handles[2];
  pthread_create(&handles[0], NULL, worker, &begins_ms[0]);
  sleep_until(step_ns + 100000000);
  off();
  sleep_until(step_ns + 150000000);
  pthread_create(&handles[1], NULL, worker, &begins_ms[1]);
  sleep_until(step_ns + 200000000);
  on();
  for (int i = 0; i < 2; i++) pthread_join(handles[i], NULL);
}

/* Switched by MPI's callback at the freeing of a communicator. */
static int deleted(MPI_Comm comm, int keyval, void* turn_on, void* state) {
  (void)comm, (void)keyval, (void)state;
  PROBE("deleted")
  leaf();
  MPI_Pcontrol(turn_on != NULL);
  leaf();
  return MPI_SUCCESS;
}
static void callback(int turn_on) {
  MPI_Comm copy;
  int keyval;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, deleted, &keyval, NULL);
  MPI_Comm_dup(MPI_COMM_SELF, &copy);
  MPI_Comm_set_attr(copy, keyval, turn_on ? &copy : NULL);
  step_ns = clock_ns();
  if (turn_on) off();
  MPI_Comm_free(&copy);
  leaf();
  if (!turn_on) on();
  leaf();
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const char* name = argc > 1 ? argv[1] : "";
  step_ns = clock_ns();
  if (!strcmp(name, "left")) left();
  if (!strcmp(name, "deeper")) deeper();
  if (!strcmp(name, "twice")) twice();
  if (!strcmp(name, "blinking")) blinking();
  if (!strcmp(name, "never_on")) never_on();
  if (!strcmp(name, "recursive")) recursive(3);
  if (!strcmp(name, "threads")) threads();
  if (!strcmp(name, "off_in_callback")) callback(0);
  if (!strcmp(name, "on_in_callback")) callback(1);
  MPI_Finalize();
  return 0;
}
