/* 300 task constructs, each met twice: more than libandes.so has doors for (task_trampolines.h). */
#include <stdio.h>

#define TASK _Pragma("omp task") { _Pragma("omp atomic") met++; }
#define TEN TASK TASK TASK TASK TASK TASK TASK TASK TASK TASK
#define HUNDRED TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN

static int met;

__attribute__((noinline)) static void constructs(void) {
  HUNDRED HUNDRED HUNDRED
}

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int i = 0; i < 2; i++) constructs();
  printf("%d\n", met);
}
