/* Known answer: MPI_Pcontrol. 200 ms in measured(), then 300 ms in unmeasured() while switched
 * off, then 200 ms in measured() again; rank 0 alone stamps two snapshots.
 *
 *   pcontrol
 *
 * So each rank has 400 ms of measured(), no visit of unmeasured() and none of its barrier,
 * 300 ms off, and the off time is in no sum.
 */
#include <mpi.h>
#include <stdio.h>

#include "clock.h"

__attribute__((noinline)) static void measured(void) { sleep_ms(200); }

__attribute__((noinline)) static void unmeasured(void) { sleep_ms(300); }

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  measured();
  if (rank == 0) MPI_Pcontrol(2);
  MPI_Pcontrol(0);
  unmeasured();
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Pcontrol(1);
  measured();
  if (rank == 0) MPI_Pcontrol(2);
  if (rank == 0) printf("pcontrol: right\n");
  fflush(stdout);
  MPI_Finalize();
  return 0;
}
