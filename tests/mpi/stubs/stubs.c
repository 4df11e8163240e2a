/* The stubs of monitor/mpi/jumps*.S and look_up*.S by themselves, on any processor: what a call passes through them must
 * arrive, at the first call and later ones. Built with jumps.inc and count.inc of tests/mpi/test_stubs.py. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { slots = 300 };
extern void *andes_mpi_slots[slots], *andes_mpi_behind[slots];
extern char andes_mpi_remember[];

struct large {
  long part[6];
};
long MPI_Ten(long, long, long, long, long, long, long, long, long, long);
double MPI_Mixed(int, double, int, double, double, double, double, double, double, double, double, float, void *);
struct large MPI_Large(long, const char *);
long MPI_Variadic(int, ...);
void *MPI_Caller(void);
long MPI_Last(long);

/* --- the real functions --------------------------------------------------------------------------------------------- */

static long ten(long a, long b, long c, long d, long e, long f, long g, long h, long i, long j) {
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j;
}
static double mixed(int a, double b, int c, double d, double e, double f, double g, double h, double i, double j, double k,
                    float l, void *m) {
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k + 12 * (double)l +
         (double)*(int *)m;
}
static struct large large(long first, const char *text) {
  struct large made = {{first, 2, 3, 4, 5, (long)strlen(text)}};
  return made;
}
static long variadic(int count, ...) {
  va_list list;
  double sum = 0;
  va_start(list, count);
  for (int i = 0; i < count; ++i) sum += va_arg(list, double) + va_arg(list, int);
  va_end(list);
  return (long)sum;
}
static void *caller(void) { return __builtin_return_address(0); }
static long last(long x) { return 3 * x; }

static int resolved[slots];

/* Spoils every register that a call may change. */
void *andes_mpi_resolve(uint32_t slot) {
  static void *const real[] = {(void *)ten, (void *)mixed, (void *)large, (void *)variadic, (void *)caller};
  void *target = slot < 5 ? real[slot] : (void *)last;
  volatile double noise[16];
  for (int i = 0; i < 16; ++i) noise[i] = i * 1.5 + slot;
  resolved[slot]++;
  if (noise[3] < 0) return NULL;
  __atomic_store_n(&andes_mpi_slots[slot], target, __ATOMIC_RELEASE);
  return target;
}

/* --- look-ups ------------------------------------------------------------------------------------------------------- */

static int searched, looked_up;
static void *asked_by;

static void *pretended(void *handle, const char *name) {
  asked_by = __builtin_return_address(0);
  return (char *)handle + strlen(name ? name : "12");
}
extern void *(*andes_real_dlsym)(void *, const char *);
void *andes_find_dlsym(void) {
  searched++;
  andes_real_dlsym = pretended;
  return (void *)pretended;
}
void *andes_look_up_mpi(void *handle, const char *name, void *from) {
  looked_up++;
  asked_by = from;
  return (char *)handle + 1000 + strlen(name);
}

static __attribute__((noinline)) void *ask(void *handle, const char *name, void **here) {
  void *answer = dlsym(handle, name);
  *here = asked_by;
  return answer;
}

static int wrong;
static void expect(int is_right, const char *what) {
  if (is_right) return;
  printf("wrong: %s\n", what);
  wrong = 1;
}

/* Whether an address lies within `ask`, which is small. */
static int is_in_ask(void *address) { return (char *)address > (char *)ask && (char *)address < (char *)ask + 256; }

int main(void) {
  int seven = 7;
  void *by = NULL;
  static char text[2048] = "four";
  char *handle = text;
  for (int round = 0; round < 3; ++round) {
    const struct large made = MPI_Large(41, "five5");
    expect(MPI_Ten(1, 2, 3, 4, 5, 6, 7, 8, 9, 10) == 385, "integers, in registers and on the stack");
    expect(MPI_Mixed(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, &seven) == 657, "floating point numbers");
    expect(made.part[0] == 41 && made.part[4] == 5 && made.part[5] == 5, "a result in memory");
    expect(MPI_Variadic(3, 1.5, 1, 2.5, 2, 3.0, 3) == 13, "variable arguments");
    expect((char *)MPI_Caller() > (char *)main && (char *)MPI_Caller() < (char *)main + 8192, "the return address");
    expect(MPI_Last(14) == 42, "the last slot");
  }
  for (int i = 0; i < 5; ++i) expect(resolved[i] == 1, "resolved once");
  expect(resolved[slots - 1] == 1, "the last slot is resolved once");
  andes_mpi_behind[slots - 1] = (void *)last;
  expect(((long (*)(long))(void *)(andes_mpi_remember + 16 * (slots - 1)))(5) == 15, "a slot that records its caller");

  expect(ask(handle, "cosine", &by) == handle + 6 && is_in_ask(by), "an ordinary look-up");
  expect(ask(handle, "MPI", &by) == handle + 3 && ask(handle, "", &by) == handle && ask(handle, "MP", &by) == handle + 2,
         "short names");
  expect(ask(handle, NULL, &by) == handle + 2, "no name");
  expect(ask(NULL, "MPI_Send", &by) == (char *)NULL + 8 && is_in_ask(by), "RTLD_DEFAULT");
  expect(ask((void *)-1, "MPI_Send", &by) == (char *)-1 + 8 && is_in_ask(by), "RTLD_NEXT");
  expect(looked_up == 0 && searched == 1, "the real dlsym is searched once");
  expect(ask(handle, "MPI_Send", &by) == handle + 1008 && is_in_ask(by) && looked_up == 1, "a name of MPI");
  if (!wrong) puts("stubs: done");
  return wrong;
}
