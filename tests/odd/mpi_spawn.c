/* mpi_spawn.c: a job that starts another. Each is a world of its own, with a run file of its own.
 *
 *   mpi_spawn            one rank, starts two */
#include <mpi.h>

#include "odd.h"

FUNCTION int parent(char *self) {
  MPI_Comm children;
  int sum = 0;
  MPI_Comm_spawn(self, MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_SELF, &children,
                 MPI_ERRCODES_IGNORE);
  for (int i = 0; i < 2; i++) {
    int got = 0;
    MPI_Recv(&got, 1, MPI_INT, i, 1, children, MPI_STATUS_IGNORE);
    sum += got;
  }
  MPI_Barrier(children);
  MPI_Comm_disconnect(&children);
  return sum;
}
FUNCTION int deeper(int rank) { return rank + 1; }
FUNCTION void child(MPI_Comm parents) {
  int rank, mine = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 5; i++) mine += deeper(rank);
  MPI_Send(&mine, 1, MPI_INT, 0, 1, parents);
  MPI_Barrier(parents);
  MPI_Comm_disconnect(&parents);
}

int main(int argc, char **argv) {
  MPI_Comm parents;
  MPI_Init(&argc, &argv);
  MPI_Comm_get_parent(&parents);
  if (parents == MPI_COMM_NULL) printf("%d\n", parent(argv[0]));
  else child(parents);
  MPI_Finalize();
  return parents == MPI_COMM_NULL ? 3 : 0;
}
