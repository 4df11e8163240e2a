/* processes.c: processes that make others, and what becomes of the parent's measurement. Only the parent is
 * measured: children go on as they would, and write nothing.
 *
 *   processes CASE */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "odd.h"

extern char **environ;
static char *self;

FUNCTION int work(int n) {
  volatile int sum = 0;
  for (int i = 0; i < n; i++) sum += i % 7;
  return sum;
}
FUNCTION int in_child(void) { return work(100) % 50; }
FUNCTION int in_parent(void) { return work(10); }

FUNCTION int wait_for(pid_t child) {
  int status = -1;
  NEED(waitpid(child, &status, 0) == child);
  printf("child ended %s %d\n", WIFEXITED(status) ? "with" : "by",
         WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
  return in_parent();
}

FUNCTION int forks(void) {
  for (int i = 0; i < 3; i++) {
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) exit(in_child() + i); /* by way of atexit and destructors */
    wait_for(child);
  }
  return 3;
}

/* The child of a child is no nearer. */
FUNCTION int forks_forks(void) {
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    in_child();
    const pid_t grandchild = fork();
    if (grandchild == 0) _exit(in_child());
    int status = 0;
    waitpid(grandchild, &status, 0);
    _exit(WEXITSTATUS(status) + 1);
  }
  wait_for(child);
  return 3;
}

/* The parent ends first; the child runs on and must not touch what the parent has left. */
FUNCTION int survived(void) {
  int ends[2];
  NEED(pipe(ends) == 0);
  fflush(stdout);
  if (fork() == 0) {
    char c;
    close(ends[1]);
    while (read(ends[0], &c, 1) > 0) {
    }
    for (int i = 0; i < 100; i++) in_child();
    _exit(0);
  }
  in_parent();
  return 3;
}

FUNCTION int forks_execs(void) {
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    in_child();
    execl(self, self, "leaf", (char *)NULL);
    _exit(97);
  }
  wait_for(child);
  return 3;
}

/* What exec makes of the process is another program with the same number. */
FUNCTION int execs(void) {
  in_parent();
  fflush(stdout);
  execl(self, self, "leaf", (char *)NULL);
  return 97;
}

FUNCTION int leaf(void) { return 40 + in_child() % 5; }

static volatile int stop;
FUNCTION int tick(int i) { return work(3) + i; }
static void *hot(void *count) {
  long calls = 0;
  for (; !stop || calls < 1000; calls++) tick((int)calls);
  *(long *)count = calls;
  return NULL;
}
/* New call paths and threads all the time, so that the monitor's lock is often held at the fork. */
FUNCTION int newcomer(int i) { return work(i % 3); }
static void *brief(void *number) {
  newcomer((int)(long)number);
  return NULL;
}
static void *many(void *made) {
  for (long i = 0; i < 400; i++) {
    pthread_t thread;
    NEED(pthread_create(&thread, NULL, brief, (void *)i) == 0);
    pthread_join(thread, NULL);
    ++*(long *)made;
  }
  return NULL;
}
FUNCTION int forks_in_threads(void) {
  pthread_t one, two;
  long calls = 0, made = 0;
  NEED(pthread_create(&one, NULL, hot, &calls) == 0 && pthread_create(&two, NULL, many, &made) == 0);
  int good = 0;
  for (int i = 0; i < 100; i++) {
    const pid_t child = fork();
    if (child == 0) {
      pthread_t thread;
      in_child();
      if (pthread_create(&thread, NULL, brief, NULL) == 0) pthread_join(thread, NULL);
      _exit(in_child());
    }
    int status = 1;
    NEED(waitpid(child, &status, 0) == child);
    good += WIFEXITED(status);
    in_parent();
  }
  stop = 1;
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  printf("%d children, %ld threads\n", good, made);
  fprintf(stderr, "count tick %ld\n", calls);
  return 3;
}

FUNCTION int spawns(void) {
  char *arguments[] = {self, "leaf", NULL};
  for (int i = 0; i < 2; i++) {
    pid_t child;
    fflush(stdout);
    NEED(posix_spawn(&child, self, NULL, NULL, arguments, environ) == 0);
    wait_for(child);
  }
  return 3;
}

FUNCTION int vforks(void) {
  fflush(stdout);
  const pid_t child = vfork();
  if (child == 0) {
    execl(self, self, "leaf", (char *)NULL);
    _exit(97);
  }
  wait_for(child);
  return 3;
}

FUNCTION int systems(void) {
  char command[4200];
  snprintf(command, sizeof command, "%s leaf", self);
  fflush(stdout);
  const int status = system(command);
  printf("system %d\n", WEXITSTATUS(status));
  in_parent();
  return 3;
}

FUNCTION int popens(void) {
  char command[4200], line[100] = "";
  snprintf(command, sizeof command, "%s leaf; echo $?", self);
  FILE *pipe = popen(command, "r");
  NEED(pipe && fgets(line, sizeof line, pipe));
  printf("popen %s", line);
  pclose(pipe);
  in_parent();
  return 3;
}

/* A stack of its own and the memory of its parent, which waits until it has ended. */
static char stack[65536];
FUNCTION int cloned(void *memory) {
  *(int *)memory = work(20);
  return 7;
}
FUNCTION int clones(void) {
  static int result;
  in_parent();
  fflush(stdout);
  const pid_t child = clone(cloned, stack + sizeof stack, CLONE_VM | CLONE_VFORK | SIGCHLD, &result);
  NEED(child > 0);
  wait_for(child);
  printf("%d\n", result > 0);
  return 3;
}

FUNCTION int daemons(void) {
  in_parent();
  fflush(stdout);
  NEED(daemon(1, 1) == 0);
  in_child();
  return 3;
}

FUNCTION int closes_all(void) {
  in_parent();
  for (int i = 3; i < 1024; i++) close(i);
  in_parent();
  return 3;
}
/* The numbers go to files of the program; whoever writes to an old number writes into them. */
FUNCTION int reuses_all(void) {
  char names[64][32];
  in_parent();
  for (int i = 3; i < 1024; i++) close(i);
  int files[64];
  for (int i = 0; i < 64; i++) {
    snprintf(names[i], sizeof names[i], "data.%d", i);
    NEED((files[i] = open(names[i], O_CREAT | O_RDWR, 0600)) >= 0);
  }
  for (int i = 0; i < 1000; i++) in_parent();
  long bytes = 0;
  for (int i = 0; i < 64; i++) {
    struct stat facts;
    bytes += fstat(files[i], &facts) == 0 ? (long)facts.st_size : 1;
    unlink(names[i]);
  }
  printf("%ld strange bytes\n", bytes);
  return 3;
}

FUNCTION int changes_directory(void) {
  in_parent();
  NEED(mkdir("elsewhere", 0700) == 0 && chdir("elsewhere") == 0 && rmdir("../elsewhere") == 0);
  in_parent();
  return 3;
}
FUNCTION int changes_root(void) {
  in_parent();
  NEED(mkdir("root", 0700) == 0);
  if (geteuid() != 0) return 3;
  NEED(chroot("root") == 0 && chdir("/") == 0);
  in_parent();
  return 3;
}
FUNCTION int changes_user(void) {
  in_parent();
  if (geteuid() == 0) NEED(setgid(65534) == 0 && setuid(65534) == 0);
  in_parent();
  return 3;
}
FUNCTION int unshares(void) {
  in_parent();
  if (geteuid() == 0 && unshare(CLONE_NEWNS | CLONE_NEWUTS) != 0) in_parent();
  else in_parent();
  return 3;
}
FUNCTION int prctls(void) {
  in_parent();
  NEED(prctl(PR_SET_NAME, "another") == 0 && prctl(PR_SET_DUMPABLE, 0) == 0 &&
       prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
  in_parent();
  return 3;
}

FUNCTION int limit(int what, rlim_t most) {
  struct rlimit limits = {most, most};
  in_parent();
  NEED(setrlimit((__rlimit_resource_t)what, &limits) == 0);
  for (int i = 0; i < 100; i++) in_parent();
  return 3;
}
FUNCTION int limits_files(void) { return limit(RLIMIT_NOFILE, 3); }
FUNCTION int limits_size(void) { return limit(RLIMIT_FSIZE, 0); }
FUNCTION int limits_memory(void) { return limit(RLIMIT_AS, 1 << 20); }
FUNCTION int limits_processes(void) { return limit(RLIMIT_NPROC, 0); }

FUNCTION int clears_environment(void) {
  in_parent();
  clearenv();
  in_parent();
  char *arguments[] = {self, "leaf", NULL}, *empty[] = {NULL};
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    execve(self, arguments, empty);
    _exit(97);
  }
  wait_for(child);
  return 3;
}
FUNCTION int spoils_environment(void) {
  in_parent();
  static char *strange[] = {(char *)"no equals sign", (char *)"", (char *)"=", NULL};
  environ = strange;
  in_parent();
  environ = NULL;
  in_parent();
  return 3;
}

static char **argument_values;
FUNCTION int sets_title(void) {
  in_parent();
  char *from = argument_values[0], *to = from;
  for (char **next = argument_values; *next; next++) to = *next + strlen(*next);
  for (char **next = environ; *next; next++)
    if (*next == to + 1) to = *next + strlen(*next);
  memset(from, 'x', (size_t)(to - from));
  for (char **next = argument_values; *next; next++) *next = NULL;
  in_parent();
  return 3;
}

int main(int argc, char **argv) {
  static const struct odd_case cases[] = {
      {"forks", forks}, {"forks_forks", forks_forks}, {"survived", survived},
      {"forks_execs", forks_execs}, {"execs", execs}, {"leaf", leaf},
      {"forks_in_threads", forks_in_threads}, {"spawns", spawns}, {"vforks", vforks},
      {"systems", systems}, {"popens", popens}, {"clones", clones}, {"daemons", daemons},
      {"closes_all", closes_all}, {"reuses_all", reuses_all}, {"changes_directory", changes_directory},
      {"changes_root", changes_root}, {"changes_user", changes_user}, {"unshares", unshares},
      {"prctls", prctls}, {"limits_files", limits_files}, {"limits_size", limits_size},
      {"limits_memory", limits_memory}, {"limits_processes", limits_processes},
      {"clears_environment", clears_environment}, {"spoils_environment", spoils_environment},
      {"sets_title", sets_title}};
  self = realpath("/proc/self/exe", NULL);
  argument_values = argv;
  RUN_CASE(cases, argc > 1 ? argv[1] : "");
}
