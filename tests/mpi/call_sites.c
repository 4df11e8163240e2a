/* MPI_Send from two lines of one function and from another function, others from main; LIBRARY: what is in the
   library only, PROGRAM: what is not. The lines matter: test_call_sites.py names them. */
#include <mpi.h>
void exchange_halo(int rank, int *a);
void hand_over(int rank, int *a);
#ifndef PROGRAM
__attribute__((noinline)) void exchange_halo(int rank, int *a) {
  if (rank == 0) {
    MPI_Send(a, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
    MPI_Send(a, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
  } else {
    for (int i = 0; i < 2; i++)
      MPI_Recv(a, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  *a += 1;
}
__attribute__((noinline)) void hand_over(int rank, int *a) {
  if (rank == 1) MPI_Send(a, 1, MPI_INT, 0, 8, MPI_COMM_WORLD);
  if (rank == 0) MPI_Recv(a, 1, MPI_INT, 1, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  *a += 1;
}
#endif
#ifndef LIBRARY
#include <andes/probe.h>
int main(int argc, char **argv) {
#ifdef PROBES
  static struct andes_site site = ANDES_SITE("main", "call_sites.c", 28, ANDES_KIND_FUNCTION);
  ANDES_PROBE(&site)
#endif
  int rank, a = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 3; i++) exchange_halo(rank, &a);
  hand_over(rank, &a);
  MPI_Barrier(MPI_COMM_WORLD), MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
#endif
