/* A program that knows what is counted in it: tally(n) counts n in the call path it is called from, of the
 * library "tests" (libsde) or of the fake PAPI. What each mode must give, by call path, rank and thread, is
 * asserted by test_counters.py.
 *
 * Usage: counted tree | threads | short N | late | none | stacks | signal | leap | end | killed | team | many N
 * with -DWITH_MPI: counted mpi | off */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>
#ifdef _OPENMP
#include <omp.h>
#endif
#ifdef WITH_MPI
#include <mpi.h>
#endif

#include "monitor/interface/probe.h"

#ifdef WITH_SDE
#include <sde_lib.h>
static __thread long long tallied;
static long long all;
static struct andes_site site_own_tally = ANDES_SITE("own_tally", "counted.c", 10, ANDES_KIND_FUNCTION);
static long long own_tally(void *none) {
  ANDES_PROBE(&site_own_tally) /* of no visit: it is the monitor that calls it */
  (void)none;
  return tallied;
}
static void register_events(void) {
  papi_handle_t library = papi_sde_init("tests");
  papi_sde_register_counter_cb(library, "own", PAPI_SDE_RO | PAPI_SDE_DELTA, PAPI_SDE_long_long, own_tally, NULL);
  papi_sde_register_counter(library, "all", PAPI_SDE_RO | PAPI_SDE_DELTA, PAPI_SDE_long_long, &all);
}
static void tally(long long n) {
  tallied += n;
  __atomic_fetch_add(&all, n, __ATOMIC_RELAXED);
}
#else
void fake_work(long long n);
static void register_events(void) {}
static void tally(long long n) { fake_work(n); }
#endif

#define SITE(name, line) static struct andes_site site_##name = ANDES_SITE(#name, "counted.c", line, ANDES_KIND_FUNCTION)
#define FUNCTION __attribute__((noinline))
SITE(main, 1);
SITE(outer, 2);
SITE(work, 3);

static FUNCTION void work(long long n) {
  ANDES_PROBE(&site_work)
  tally(n);
  __asm__ volatile("");
}

#ifndef WITH_MPI
SITE(fib, 4);
SITE(thread, 5);
SITE(task, 6);
SITE(handler, 7);
SITE(leaper, 9);
#endif

/* outer itself: 10; its call of work: 100 */
static FUNCTION void outer(void) {
  ANDES_PROBE(&site_outer)
  tally(3);
  work(100);
  tally(7);
}

#ifndef WITH_MPI
/* fib(n) counts 1 a call: 15 calls for n = 5 */
static FUNCTION int fib(int n) {
  ANDES_PROBE(&site_fib)
  tally(1);
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

/* thread itself: its number + 1; its work: 1000 times as much */
static FUNCTION void *thread(void *number) {
  ANDES_PROBE(&site_thread)
  const long long n = (long long)(size_t)number + 1;
  tally(n);
  for (int i = 0; i < 10; ++i) work(100 * n);
  return NULL;
}

static void run_threads(int count) {
  pthread_t threads[64];
  for (int i = 0; i < count; ++i) pthread_create(&threads[i], NULL, thread, (void *)(size_t)i);
  for (int i = 0; i < count; ++i) pthread_join(threads[i], NULL);
}

static ucontext_t of_main, of_task;
static char stack[1 << 18];

/* A task on a stack of its own: 5 before it hands over, 50 after; work on it 500 */
static FUNCTION void task(void) {
  ANDES_PROBE(&site_task)
  tally(5);
  swapcontext(&of_task, &of_main);
  work(500);
  tally(50);
}
static void start_task(void) { task(); }

static FUNCTION void on_signal(int number) {
  ANDES_PROBE(&site_handler)
  (void)number;
  tally(1);
}

static jmp_buf jump;
static FUNCTION void leaper(void) {
  ANDES_PROBE(&site_leaper)
  tally(1);
  longjmp(jump, 1);
}
#endif

#ifdef WITH_MPI
SITE(reduce, 8);
/* A user's reduction, called by MPI: 4 a call */
static FUNCTION void reduce(void *in, void *into, int *count, MPI_Datatype *type) {
  ANDES_PROBE(&site_reduce)
  (void)type;
  for (int i = 0; i < *count; ++i) ((int *)into)[i] += ((int *)in)[i];
  tally(4);
}

static FUNCTION void run_mpi(void) {
  int rank, one = 1, sum = 0;
  MPI_Op add;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  outer();
  work(1000 * (rank + 1));
  MPI_Op_create(reduce, 1, &add);
  for (int i = 0; i < 3; ++i) MPI_Allreduce(&one, &sum, 1, MPI_INT, add, MPI_COMM_WORLD);
  MPI_Op_free(&add);
  MPI_Barrier(MPI_COMM_WORLD);
}
#endif

int main(int argc, char **argv) {
  const char *mode = argc > 1 ? argv[1] : "tree";
#ifndef WITH_MPI
  if (strcmp(mode, "late") != 0 && strcmp(mode, "none") != 0) register_events();
#else
  register_events();
#endif
  {
    ANDES_PROBE(&site_main)
#ifdef WITH_MPI
    tally(12345); /* before the measured interval */
    MPI_Init(&argc, &argv);
    if (strcmp(mode, "off") == 0) {
      work(1);
      MPI_Pcontrol(0);
      work(10);
      MPI_Pcontrol(1);
      work(100);
    } else {
      run_mpi();
    }
    MPI_Finalize();
#else
    tally(1);
    if (strcmp(mode, "tree") == 0) {
      for (int i = 0; i < 5; ++i) outer();
      fib(5);
      work(20);
    } else if (strcmp(mode, "threads") == 0) {
      run_threads(4);
    } else if (strcmp(mode, "short") == 0) {
      for (int i = 0; i < atoi(argv[2]); ++i) {
        pthread_t one;
        pthread_create(&one, NULL, thread, NULL);
        pthread_join(one, NULL);
      }
    } else if (strcmp(mode, "late") == 0) {
      work(1); /* nobody has registered the events yet */
      register_events();
      work(10);
      work(100);
    } else if (strcmp(mode, "stacks") == 0) {
      getcontext(&of_task);
      of_task.uc_stack.ss_sp = stack;
      of_task.uc_stack.ss_size = sizeof stack;
      of_task.uc_link = &of_main;
      makecontext(&of_task, start_task, 0);
      swapcontext(&of_main, &of_task);
      work(10000);
      swapcontext(&of_main, &of_task);
    } else if (strcmp(mode, "signal") == 0) {
      signal(SIGUSR1, on_signal);
      for (int i = 0; i < 100; ++i) raise(SIGUSR1);
    } else if (strcmp(mode, "leap") == 0) {
      for (volatile int i = 0; i < 10; ++i)
        if (setjmp(jump) == 0) leaper();
      work(7);
    } else if (strcmp(mode, "many") == 0) {
      for (int i = 0; i < atoi(argv[2]); ++i) work(1);
#ifdef _OPENMP
    } else if (strcmp(mode, "team") == 0) {
      for (int i = 0; i < 3; ++i) {
#pragma omp parallel num_threads(4)
        work(100 * (omp_get_thread_num() + 1));
      }
#endif
    } else if (strcmp(mode, "killed") == 0) {
      work(10);
      puts("counted: done");
      fflush(stdout);
      raise(SIGKILL);
    } else if (strcmp(mode, "end") == 0) {
      work(5);
      work(2000); /* readings of the fake PAPI fail from a tally of 1000 on, if so told */
      work(5);
    }
#endif
  }
  puts("counted: done");
  return 0;
}
