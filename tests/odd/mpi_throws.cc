/* mpi_throws.cc: exceptions out of functions of the program that MPI calls, through MPI and its caller. Two ranks.
 *
 *   mpi_throws           all of it; each case is a function of main */
#include <mpi.h>

#include <stdexcept>

#include "odd.h"

static int rank, other;

struct Cleanup {
  __attribute__((noinline)) ~Cleanup() { done++; }
  static int done;
};
int Cleanup::done;

FUNCTION void throws(MPI_Comm *, int *code, ...) {
  const Cleanup cleanup;
  throw std::runtime_error(*code ? "handler" : "?");
}
FUNCTION void sends(int i) {
  const Cleanup cleanup;
  MPI_Send(&i, 1, MPI_INT, 1000, 1, MPI_COMM_WORLD);
}
FUNCTION void swaps(int tag) {
  int got = -1;
  MPI_Sendrecv(&rank, 1, MPI_INT, other, tag, &got, 1, MPI_INT, other, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  NEED(got == other);
}
FUNCTION void out_of_handler() {
  MPI_Errhandler handler, before;
  MPI_Comm_create_errhandler(throws, &handler);
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &before);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  int caught = 0;
  for (int i = 0; i < 5; i++) {
    try {
      if (i % 2) sends(i);
      else MPI_Send(&i, 1, MPI_INT, 1000, 1, MPI_COMM_WORLD);
    } catch (const std::runtime_error &) {
      caught++;
    }
    swaps(i);
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, before);
  MPI_Errhandler_free(&handler);
  NEED(caught == 5);
}

FUNCTION void throwing_sum(void *, void *, int *, MPI_Datatype *) {
  const Cleanup cleanup;
  throw 17;
}
FUNCTION void out_of_operation() {
  MPI_Op op;
  MPI_Op_create(throwing_sum, 1, &op);
  int caught = 0;
  for (int i = 0; i < 3; i++) {
    int a = 1, b = 2;
    try {
      MPI_Reduce_local(&a, &b, 1, MPI_INT, op);
    } catch (int thrown) {
      caught += thrown;
    }
    swaps(i);
  }
  MPI_Op_free(&op);
  NEED(caught == 51);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  other = 1 - rank;
  out_of_handler();
  out_of_operation();
  printf("rank %d done %d\n", rank, Cleanup::done);
  MPI_Finalize();
  return 0;
}
