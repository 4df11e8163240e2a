/* ring.c: three exchanges round a ring; `ring()` may stand in the program, in a library that it
 * links, or in one that it opens (-DOPEN: the library's path is the argument). Prints its sums. */
#include <stdio.h>
#include <unistd.h>
#ifdef OPEN
#include <dlfcn.h>
#endif

#ifndef CALLER
#include <mpi.h>
int ring(void) {
  int rank, size, value, sum = 0;
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < 3; i++) {
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &value, 1, MPI_INT,
                 (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sum += value;
  }
#ifdef SNAPSHOT
  if (rank == 1) MPI_Pcontrol(2); /* of one rank alone */
#endif
#ifdef SWITCH
  MPI_Pcontrol(0);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Pcontrol(1, "variadic", 3.5);
  MPI_Barrier(MPI_COMM_WORLD);
#endif
#ifdef LATE
  if (rank == 1) sleep(2);
#endif
  printf("rank %d sum %d\n", rank, sum);
  fflush(stdout);
  MPI_Finalize();
  return 0;
}
#else
int ring(void);
#endif

#ifndef LIBRARY
int main(int argc, char** argv) {
#ifdef OPEN
  void* library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  int (*opened)(void) = library ? (int (*)(void))dlsym(library, "ring") : NULL;
  return opened ? opened() : 1;
#else
  (void)argc, (void)argv;
  return ring();
#endif
}
#endif
