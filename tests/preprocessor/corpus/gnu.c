/* flags: -std=gnu11 -Wall -fopenmp */
/* flags: -O3 -D_FORTIFY_SOURCE=2 -march=native */
#define _GNU_SOURCE
#include <immintrin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <pthread.h>
#ifdef _OPENMP
#include <omp.h>
#endif

static int forks(void) { /*- calls vfork */
  int status = 0;
  pid_t child = vfork();
  if (child == 0) _exit(4);
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}
static int resolved_one(void) { return 11; } /*+ resolved_one */
static int (*resolver(void))(void) { return resolved_one; } /*- resolver of an ifunc */
int resolved(void) __attribute__((ifunc("resolver")));

__attribute__((target("avx2"))) int wide(int x) { return x + 1; } /*- compiled for another target */
#pragma omp declare simd
static double simd_one(double x) { return x * 2; } /*- declare simd */
__attribute__((simd)) double simd_two(double x) { return x * 3; } /*- declare simd */
__attribute__((always_inline)) static inline int always(int x) { return x + 2; } /*+ always */
__attribute__((noinline, hot)) static int never(int x) { return x + 3; } /*+ never */
__attribute__((constructor)) static void early(void) { puts("early"); } /*+ early */
__attribute__((pure)) static int is_pure(int x) { return x + 4; } /*+ is_pure */
__attribute__((optimize("O0"))) static int slow(int x) { return x + 5; } /*+ slow */
static __thread int per_thread;
static void *body(void *argument) { /*+ body */
  per_thread = *(int *)argument;
  if (per_thread == 1) pthread_exit(argument);
  return argument;
}
static void clean(int *value) { printf("clean %d\n", *value); } /*+ clean */
static int cleaned(void) { __attribute__((cleanup(clean))) int value = 8; return value; } /*+ cleaned */
static void *computed(int n) { /*+ computed */
  static void *labels[] = {&&a, &&b};
  goto *labels[n];
a: return "a";
b: return "b";
}
static int vla(int n) { int data[n]; memset(data, 0, sizeof data); return data[n - 1]; } /*+ vla */

int main(int argc, char **argv) { /*+ main */
  int total = 0, one = 1;
  void *result;
  pthread_t thread;
  char text[40];
  (void)argv;
#pragma omp parallel for reduction(+ : total) /*+ parallel for */
  for (int i = 0; i < 100; ++i) total += never(i) - always(i);
  pthread_create(&thread, NULL, body, &one);
  pthread_join(thread, &result);
  snprintf(text, sizeof text, "%d", total);
  printf("%d %d %d %.1f %.1f %s\n", forks(), resolved(), (int)(sizeof(__m128)), simd_one(1), simd_two(1), text);
  printf("%d %d %d %s %d %d\n", is_pure(argc), slow(1), cleaned(), (char *)computed(1), vla(3), *(int *)result);
#ifdef __clang__
  puts("clang");
#endif
  return 0;
}
#ifdef __clang__
int only_clang(void) { return 1; }
#endif
