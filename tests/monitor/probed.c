/* A program with hand-written probes and no MPI: what each mode exercises is asserted by
 * test_process.py. Usage: probed plain | plugin FILE | threads N | longjmp | children */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "monitor/interface/probe.h"

static struct andes_site sites[] = {
    ANDES_SITE("main", "probed.c", 1, ANDES_KIND_FUNCTION),
    ANDES_SITE("work", "probed.c", 2, ANDES_KIND_FUNCTION),
    ANDES_SITE("thread", "probed.c", 3, ANDES_KIND_FUNCTION),
    ANDES_SITE("outer", "probed.c", 4, ANDES_KIND_FUNCTION),
    ANDES_SITE("jumper", "probed.c", 5, ANDES_KIND_FUNCTION),
    ANDES_SITE("after", "probed.c", 6, ANDES_KIND_FUNCTION),
    ANDES_SITE("start", "probed.c", 7, ANDES_KIND_FUNCTION),
};

static jmp_buf jump;

/* Before main, and before this module's monitor is known. */
__attribute__((constructor, noinline)) static void start(void) { ANDES_PROBE(&sites[6]) }

__attribute__((noinline)) static void work(void) {
  ANDES_PROBE(&sites[1])
  __asm__ volatile("");
}
__attribute__((noinline)) static void *thread(void *unused) {
  ANDES_PROBE(&sites[2])
  work();
  return unused;
}
__attribute__((noinline)) static void jumper(void) {
  ANDES_PROBE(&sites[4])
  longjmp(jump, 1);
}
__attribute__((noinline)) static void outer(void) {
  ANDES_PROBE(&sites[3])
  jumper();
}
__attribute__((noinline)) static void after(void) {
  ANDES_PROBE(&sites[5])
  work();
}

static void plugin(const char *file) {
  for (int i = 0; i < 3; ++i) {
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!library) exit(9);
    ((void (*)(void))dlsym(library, "plugin_entry"))();
    dlclose(library);
    if (dlopen(file, RTLD_NOW | RTLD_NOLOAD)) exit(10); /* probes must not pin the library */
  }
}

int main(int argc, char **argv) {
  ANDES_PROBE(&sites[0])
  const char *mode = argc > 1 ? argv[1] : "plain";
  if (strcmp(mode, "plain") == 0) {
    errno = 77;
    for (int i = 0; i < 1000; ++i) work();
    if (errno != 77) return 8;
  } else if (strcmp(mode, "plugin") == 0) {
    plugin(argv[2]);
  } else if (strcmp(mode, "threads") == 0) {
    for (int i = atoi(argv[2]); i > 0; --i) {
      pthread_t id;
      if (pthread_create(&id, NULL, thread, NULL) != 0) return 7;
      pthread_join(id, NULL);
    }
  } else if (strcmp(mode, "longjmp") == 0) {
    for (volatile int i = 0; i < 100; ++i) {
      if (setjmp(jump) == 0) outer();
      after();
    }
  } else if (strcmp(mode, "children") == 0) {
    pid_t child = fork();
    if (child == 0) {
      work();
      exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    work();
  }
  puts("done");
  return 3;
}
