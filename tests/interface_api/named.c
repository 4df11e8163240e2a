/* What docs/interface.md says of C, in C89: regions, phases, values, on and off. Prints what it computed. */
#include <andes/andes.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef WITH_MPI
#include <mpi.h>
#endif

static double sum;
static jmp_buf back;

static void work(int n) {
  int i;
  ANDES_REGION("work");
  for (i = 0; i < n; i++) sum += 1.0 / (i + 1);
}

static __attribute__((noinline)) void jumper(void) {
  ANDES_REGION("jumper");
  andes_begin("left open");
  longjmp(back, 1);
}

static void steps(void) {
  int i;
  for (i = 1; i <= 12; i++) {
    ANDES_PHASE("time step");
    work(i);
    andes_value("residual", 100.0 / i);
#ifdef WITH_MPI
    MPI_Barrier(MPI_COMM_WORLD);
#endif
  }
  for (i = 0; i < 6; i++) {
    ANDES_PHASE_NUMBER("iteration", 10 * (i % 3));
    work(1);
  }
}

static void ends(void) {
  andes_end("never begun");
  andes_begin("first");
  andes_begin("second");
  andes_end("first"); /* crosses */
  work(1);
  andes_end("second");
  andes_end("first");
}

static void names(void) {
  char name[20];
  int i;
  for (i = 0; i < 9; i++) {
    sprintf(name, "case %d", i % 3);
    {
      ANDES_REGION_NAMED(name);
      work(1);
    }
    andes_begin(name);
    andes_end(name);
  }
}

static void switched(void) {
  andes_begin("around");
  andes_off();
  work(1);
  andes_begin("unseen");
  andes_end("unseen");
  andes_on();
  work(1);
  andes_end("around");
}

int main(int argc, char **argv) {
  ANDES_REGION("main");
#ifdef WITH_MPI
  MPI_Init(&argc, &argv);
#else
  (void)argc;
  (void)argv;
#endif
  steps();
  ends();
  names();
  if (setjmp(back) == 0) jumper();
  work(1);
  switched();
  andes_value("unusable", strtod("nan", (char **)0));
#ifdef WITH_MPI
  MPI_Finalize();
#endif
  printf("%.6f\n", sum);
  return 0;
}
