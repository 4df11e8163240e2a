/* mpi_begin.c: the ways in which programs come to MPI, and leave it. Two ranks.
 *
 *   mpi_begin CASE */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "odd.h"

static int rank, size;

FUNCTION void before(void) { rank = -1; }
FUNCTION void exchange(int i) {
  int got = -1, mine = 10 * i + rank;
  MPI_Sendrecv(&mine, 1, MPI_INT, (rank + 1) % size, 1, &got, 1, MPI_INT, (rank + size - 1) % size, 1,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  NEED(got == 10 * i + (rank + size - 1) % size);
}
FUNCTION void ring(int count) {
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < count; i++) exchange(i);
}
FUNCTION int ends(void) {
  MPI_Finalize();
  int finalized = 0;
  MPI_Finalized(&finalized);
  printf("finalized %d\n", finalized);
  return 0;
}

FUNCTION int late(void) {
  int initialized = -1;
  for (int i = 0; i < 5; i++) before();
  MPI_Initialized(&initialized);
  printf("initialized %d\n", initialized);
  for (int i = 0; i < 5; i++) before();
  if (!initialized) MPI_Init(NULL, NULL);
  ring(4);
  return ends();
}
FUNCTION int with_threads(void) {
  int provided = -1;
  before();
  MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
  ring(4);
  return ends();
}
static void *begins(void *unused) {
  int provided;
  MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided);
  ring(2);
  return unused;
}
FUNCTION int from_thread(void) {
  pthread_t thread;
  before();
  pthread_create(&thread, NULL, begins, NULL);
  pthread_join(thread, NULL);
  ring(3);
  return ends();
}
/* Even the stack grows no further. */
FUNCTION int short_of_memory(void) {
  const struct rlimit least = {1 << 20, 1 << 20};
  MPI_Init(NULL, NULL);
  ring(3);
  NEED(setrlimit(RLIMIT_AS, &least) == 0);
  ring(3);
  return ends();
}
static void *ends_it(void *unused) {
  MPI_Finalize();
  return unused;
}
FUNCTION int ended_by_thread(void) {
  pthread_t thread;
  int provided;
  MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided);
  ring(3);
  pthread_create(&thread, NULL, ends_it, NULL);
  pthread_join(thread, NULL);
  before();
  return 3;
}

/* A thread is in probes and in MPI's time when MPI ends, and goes on. */
static volatile int stop;
FUNCTION void spins(void) { __asm__ volatile(""); }
static void *outlives(void *unused) {
  while (!stop) spins();
  for (int i = 0; i < 1000; i++) spins();
  return unused;
}
FUNCTION int outlived(void) {
  pthread_t thread;
  int provided;
  MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
  pthread_create(&thread, NULL, outlives, NULL);
  ring(3);
  const int status = ends();
  stop = 1;
  pthread_join(thread, NULL);
  before();
  return status;
}

static void *idles(void *unused) {
  spins();
  pause();
  return unused;
}
FUNCTION int left_by_main(void) {
  pthread_t thread;
  int provided;
  MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
  pthread_create(&thread, NULL, idles, NULL);
  ring(3);
  ends();
  fflush(stdout);
  pthread_cancel(thread);
  pthread_exit(NULL);
}

FUNCTION void at_exit(void) {
  int finalized = 0;
  ring(1);
  MPI_Finalized(&finalized);
  if (!finalized) MPI_Finalize();
}
FUNCTION int ended_at_exit(void) {
  MPI_Init(NULL, NULL);
  atexit(at_exit);
  ring(2);
  return 3;
}

static volatile sig_atomic_t ticks;
FUNCTION void noted(void) { ticks++; }
static void handler(int number) {
  (void)number;
  noted();
}
FUNCTION void reduces(void) {
  int one = 1, sum = 0;
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  NEED(sum == size);
}
/* A timer strikes in probes, in wrappers and in MPI. */
FUNCTION int under_timer(void) {
  MPI_Init(NULL, NULL);
  ring(1);
  struct sigaction action = {0};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, NULL);
  const struct itimerval every = {{0, 1000}, {0, 1000}}, none = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &every, NULL);
  for (int i = 0; i < 3000; i++) {
    exchange(i);
    reduces();
  }
  while (ticks < 100) spins();
  setitimer(ITIMER_REAL, &none, NULL);
  action.sa_handler = SIG_IGN;
  sigaction(SIGALRM, &action, NULL);
  fprintf(stderr, "count noted %d\n", (int)ticks);
  return ends();
}

FUNCTION int forks(void) {
  MPI_Init(NULL, NULL);
  ring(2);
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    before();
    _exit(5);
  }
  int status = 0;
  waitpid(child, &status, 0);
  printf("child %d\n", WEXITSTATUS(status));
  ring(2);
  return ends();
}

FUNCTION int errors_return(void) {
  MPI_Init(NULL, NULL);
  ring(1);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int value = 0, class = 0;
  for (int i = 0; i < 5; i++) {
    const int error = MPI_Send(&value, 1, MPI_INT, size + 5, 1, MPI_COMM_WORLD);
    MPI_Error_class(error, &class);
    NEED(class == MPI_ERR_RANK);
  }
  MPI_Error_class(MPI_Recv(&value, -1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE), &class);
  NEED(class == MPI_ERR_COUNT);
  ring(1);
  return ends();
}

/* MPI lives in a library that the program opens, whose constructor begins it. */
FUNCTION int from_constructor(void) {
  before();
  int initialized = 0;
  MPI_Initialized(&initialized);
  NEED(!initialized);
  void *library = dlopen(getenv("ODD_LIBRARY"), RTLD_NOW);
  if (!library) printf("%s\n", dlerror());
  NEED(library);
  MPI_Initialized(&initialized);
  printf("initialized %d\n", initialized);
  ring(2);
  return ends();
}

FUNCTION int sessions(void) {
#if MPI_VERSION >= 4
  MPI_Session session;
  MPI_Group group;
  MPI_Comm comm;
  before();
  if (MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session) != MPI_SUCCESS) return 3;
  NEED(MPI_Group_from_session_pset(session, "mpi://WORLD", &group) == MPI_SUCCESS);
  NEED(MPI_Comm_create_from_group(group, "odd", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm) == MPI_SUCCESS);
  int one = 1, sum = 0, members = 0;
  MPI_Comm_size(comm, &members);
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
  NEED(sum == members);
  MPI_Group_free(&group);
  MPI_Comm_free(&comm);
  MPI_Session_finalize(&session);
#endif
  before();
  return 3;
}

int main(int argc, char **argv) {
  static const struct odd_case cases[] = {
      {"short_of_memory", short_of_memory}, {"late", late}, {"with_threads", with_threads}, {"from_thread", from_thread},
      {"ended_by_thread", ended_by_thread}, {"outlived", outlived}, {"left_by_main", left_by_main},
      {"ended_at_exit", ended_at_exit}, {"under_timer", under_timer}, {"forks", forks},
      {"errors_return", errors_return}, {"from_constructor", from_constructor}, {"sessions", sessions}};
  RUN_CASE(cases, argc > 1 ? argv[1] : "");
}
