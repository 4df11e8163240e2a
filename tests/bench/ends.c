/* ends.c: how long a process takes to come to main, to start MPI, to enter 500 call paths and to end
 * MPI. Started twice: the first notes the time and becomes the second, which prints the times.
 *
 *   ends PRELOAD      PRELOAD: libandes.so, or "" for none
 *
 * Each rank prints "ends RANK MAIN_NS INIT_NS PATHS_NS FINALIZE_NS": from exec to main, of MPI_Init, of
 * one visit of each call path, and of MPI_Finalize. bench_ends compares them with and without. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "andes/probe.h"

static int64_t now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static volatile int work;

/* 100 functions under main, each of which calls four of 20 others: 100 + 400 call paths. */
#define FUNCTION(name, body)                                                                       \
  __attribute__((noinline)) static void name(void) {                                              \
    static struct andes_site site = ANDES_SITE(#name, __FILE__, __LINE__, ANDES_KIND_FUNCTION);    \
    ANDES_PROBE(&site)                                                                             \
    body;                                                                                          \
  }
#define FOUR(n) FUNCTION(leaf##n##a, work++) FUNCTION(leaf##n##b, work++)                          \
                FUNCTION(leaf##n##c, work++) FUNCTION(leaf##n##d, work++)
#define CALL(n) leaf##n##a(), leaf##n##b(), leaf##n##c(), leaf##n##d()
FOUR(0) FOUR(1) FOUR(2) FOUR(3) FOUR(4)
#define FIVE(n) FUNCTION(n##0, CALL(0)) FUNCTION(n##1, CALL(1)) FUNCTION(n##2, CALL(2))            \
                FUNCTION(n##3, CALL(3)) FUNCTION(n##4, CALL(4))
#define ENTER_FIVE(n) n##0(), n##1(), n##2(), n##3(), n##4()
#define TWENTY(n) FIVE(n##a) FIVE(n##b) FIVE(n##c) FIVE(n##d)
#define ENTER_TWENTY(n) ENTER_FIVE(n##a), ENTER_FIVE(n##b), ENTER_FIVE(n##c), ENTER_FIVE(n##d)
TWENTY(p) TWENTY(q) TWENTY(r) TWENTY(s) TWENTY(t)

int main(int argc, char** argv) {
  const int64_t main_ns = now_ns();
  char text[32];
  int rank;
  if (argc > 1) {
    if (*argv[1]) setenv("LD_PRELOAD", argv[1], 1);
    snprintf(text, sizeof text, "%lld", (long long)now_ns());
    setenv("ENDS_BEGIN_NS", text, 1);
    execl("/proc/self/exe", argv[0], (char*)NULL);
    return 1;
  }
  const char* begin = getenv("ENDS_BEGIN_NS");
  if (!begin) return 2;
  MPI_Init(&argc, &argv);
  const int64_t initialised_ns = now_ns();
  ENTER_TWENTY(p), ENTER_TWENTY(q), ENTER_TWENTY(r), ENTER_TWENTY(s), ENTER_TWENTY(t);
  const int64_t entered_ns = now_ns();
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  const int64_t finalising_ns = now_ns();
  MPI_Finalize();
  const int64_t end_ns = now_ns();
  printf("ends %d %lld %lld %lld %lld\n", rank, (long long)(main_ns - strtoll(begin, NULL, 10)),
         (long long)(initialised_ns - main_ns), (long long)(entered_ns - initialised_ns),
         (long long)(end_ns - finalising_ns));
  return 0;
}
