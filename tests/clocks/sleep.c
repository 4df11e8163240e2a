/* sleep.c: MPI_Init, SECONDS, MPI_Finalize: enough for the clocks to drift apart.  sleep SECONDS */
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  usleep((useconds_t)(atof(argv[1]) * 1e6));
  MPI_Finalize();
  return 0;
}
