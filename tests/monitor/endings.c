/* A program without MPI that ends, or lives, in one way or another: what its arena holds then is asserted by
 * test_arena.py. Usage: endings MODE [ARGUMENT]. All modes count in the mapped file that ENDINGS_COUNTERS names:
 * visits that have been asked for, and those that have begun. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "monitor/interface/probe.h"

enum { site_count = 64, most_threads = 8 };
static struct andes_site sites[site_count];
static char names[site_count][8];
static struct andes_site main_site = ANDES_SITE("main", "endings.c", 1, ANDES_KIND_FUNCTION);

struct counters {
  volatile unsigned long asked[most_threads], begun[most_threads];
};
static struct counters *counters;
static struct counters none;

__attribute__((noinline)) static void work(int site, int thread) {
  counters->asked[thread]++;
  ANDES_PROBE(&sites[site])
  counters->begun[thread]++;
}

static unsigned next(unsigned *random) {
  *random = *random * 1664525u + 1013904223u;
  return *random >> 16;
}

/* Call paths without end, new ones all the time. */
__attribute__((noinline)) static void wander(unsigned *random, int depth, int thread) {
  counters->asked[thread]++;
  ANDES_PROBE(&sites[next(random) % site_count])
  counters->begun[thread]++;
  if (depth > 0)
    for (unsigned calls = next(random) % 3; calls > 0; --calls) wander(random, depth - 1, thread);
}

static void *wander_for_ever(void *number) {
  unsigned random = (unsigned)(long)number;
  for (;;) wander(&random, 12, (int)(long)number);
}

static void handler(int signal) { dprintf(1, "handled %d\n", signal); }
static void fault_handler(int signal, siginfo_t *info, void *context) {
  (void)context;
  dprintf(1, "fault %d at %p\n", signal, info->si_addr);
  _exit(5);
}

static void install(int signal, void (*action)(int)) {
  struct sigaction act;
  memset(&act, 0, sizeof act);
  act.sa_handler = action;
  sigaction(signal, &act, NULL);
}
/* Before the first probe, so before the monitor's own. */
__attribute__((constructor)) static void install_first(void) {
  const char *what = getenv("ENDINGS_BEFORE");
  struct sigaction act;
  if (!what) return;
  if (strcmp(what, "handle") == 0) install(SIGTERM, handler), install(SIGUSR1, handler);
  if (strcmp(what, "ignore") == 0) install(SIGTERM, SIG_IGN);
  if (strcmp(what, "fault") == 0) {
    memset(&act, 0, sizeof act);
    act.sa_sigaction = fault_handler;
    act.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &act, NULL);
  }
}

static void children(char *program) {
  extern char **environ;
  char *again[] = {program, (char *)"work", (char *)"7", NULL};
  for (int i = 0; i < 3; ++i) {
    pid_t child = fork();
    if (child == 0) {
      for (int k = 0; k < 100; ++k) work(1, 0);
      raise(SIGTERM); /* its end is not its parent's */
    }
    waitpid(child, NULL, 0);
    work(1, 0);
  }
  pid_t child;
  posix_spawn(&child, program, NULL, NULL, again, environ);
  waitpid(child, NULL, 0);
  if ((child = vfork()) == 0) {
    execv(program, again);
    _exit(1);
  }
  waitpid(child, NULL, 0);
}

static int run(char *program, const char *mode, const char *argument) {
  ANDES_PROBE(&main_site)
  if (strcmp(mode, "wander") == 0) {
    for (long i = 1; i < atoi(argument); ++i) {
      pthread_t thread;
      pthread_create(&thread, NULL, wander_for_ever, (void *)i);
    }
    wander_for_ever(NULL);
  } else if (strcmp(mode, "many") == 0) { /* call paths by the thousand, then an end */
    unsigned random = 1;
    for (int i = atoi(argument); i > 0; --i) wander(&random, 12, 0);
  } else if (strcmp(mode, "work") == 0) {
    for (int i = atoi(argument); i > 0; --i) work(0, 0);
  } else if (strcmp(mode, "signal") == 0) {
    work(0, 0);
    raise(atoi(argument));
    work(0, 0);
  } else if (strcmp(mode, "fault") == 0) {
    work(0, 0);
    *(volatile int *)(long)atoi(argument) = 1;
  } else if (strcmp(mode, "children") == 0) {
    children(program);
    raise(SIGKILL);
  } else if (strcmp(mode, "forks") == 0) { /* while other threads make call paths */
    work(1, 0); /* before they have all the memory that there is for call paths */
    for (long i = 1; i < 3; ++i) {
      pthread_t thread;
      pthread_create(&thread, NULL, wander_for_ever, (void *)i);
    }
    for (int i = atoi(argument); i > 0; --i) {
      pid_t child = fork();
      if (child == 0) {
        for (int k = 0; k < 1000; ++k) work(k % site_count, 0);
        exit(0);
      }
      waitpid(child, NULL, 0);
      work(1, 0);
    }
    raise(SIGKILL);
  } else if (strcmp(mode, "exec") == 0) {
    work(0, 0);
    execl(program, program, "work", argument, (char *)NULL);
  } else if (strcmp(mode, "closed") == 0) { /* all descriptors, and their numbers used again */
    unsigned random = 1;
    work(0, 0);
    for (int i = 3; i < 64; ++i) close(i);
    for (int i = 0; i < 16; ++i) open("/dev/null", O_RDWR);
    for (int i = atoi(argument); i > 0; --i) wander(&random, 12, 0);
    raise(SIGKILL);
  } else if (strcmp(mode, "replaces") == 0) { /* standard error is closed, and its number a file of the program */
    work(0, 0);
    close(2);
    if (open(argument, O_WRONLY | O_CREAT, 0600) != 2 || dprintf(2, "data\n") != 5) return 9;
  }
  return 3;
}

int main(int argc, char **argv) {
  const char *file = getenv("ENDINGS_COUNTERS");
  const int counted = file ? open(file, O_RDWR) : -1;
  counters = &none;
  if (counted >= 0) {
    void *mapped = mmap(NULL, sizeof *counters, PROT_READ | PROT_WRITE, MAP_SHARED, counted, 0);
    if (mapped != MAP_FAILED) counters = (struct counters *)mapped;
    close(counted);
  }
  for (int i = 0; i < site_count; ++i) {
    snprintf(names[i], sizeof names[i], "f%02d", i);
    const struct andes_site site = ANDES_SITE(names[i], "endings.c", 2, ANDES_KIND_FUNCTION);
    memcpy(&sites[i], &site, sizeof site);
  }
  return argc > 2 ? run(argv[0], argv[1], argv[2]) : 9;
}
