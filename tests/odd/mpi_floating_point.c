/* mpi_floating_point.c: a program that traps floating-point exceptions, reads their flags and rounds in its own way.
 * The monitor computes in its threads. */
#define _GNU_SOURCE
#include <fenv.h>
#include <mpi.h>

#include "odd.h"

static const int trapped = FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW | FE_UNDERFLOW;

FUNCTION void leaf(void) { __asm__ volatile(""); }
FUNCTION void caller(void) { leaf(); }

/* Hot enough that visits are sampled, where there is a budget. */
FUNCTION void hot(void) {
  for (int i = 0; i < 400000; i++) {
    leaf();
    caller();
  }
}

static void say(const char *when, int of) {
  printf("%s: raised %x, trapped %x, rounding %x\n", when, (unsigned)fetestexcept(of), (unsigned)fegetexcept(),
         (unsigned)fegetround());
  feclearexcept(FE_ALL_EXCEPT);
}

int main(int argc, char **argv) {
  leaf(); /* the monitor begins */
  say("first probe", FE_ALL_EXCEPT);
  NEED(feenableexcept(trapped) == 0);
  MPI_Init(&argc, &argv);
  say("MPI_Init", trapped);
  NEED(fesetround(FE_TOWARDZERO) == 0);
  hot();
  say("probes", FE_ALL_EXCEPT);
  NEED(fesetround(FE_TONEAREST) == 0);
  for (int i = 0; i < 1000; i++) {
    int one = 1, sum = 0;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  }
  say("MPI_Allreduce", trapped);
  MPI_Finalize();
  say("MPI_Finalize", trapped);
  return 0;
}
