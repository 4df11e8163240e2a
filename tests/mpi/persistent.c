/* persistent.c: persistent collectives (MPI 4, or Open MPI's MPIX_), each started twice; with MPI 4
 * also large counts, non-blocking sendrecv and partitioned messages. Two ranks. */
#include <mpi.h>
#if MPI_VERSION < 4
#include <mpi-ext.h>
#define MPI_Allreduce_init MPIX_Allreduce_init
#define MPI_Bcast_init MPIX_Bcast_init
#endif

int main(int argc, char** argv) {
  int rank, other;
  double a[100] = {0}, b[100];
  MPI_Request sum, spread;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  other = 1 - rank;
  MPI_Allreduce_init(a, b, 10, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &sum);
  MPI_Bcast_init(a, 10, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &spread);
  for (int i = 0; i < 2; i++) {
    MPI_Start(&sum); /* 80 bytes there and back */
    MPI_Wait(&sum, MPI_STATUS_IGNORE);
    MPI_Startall(1, &spread); /* 40 bytes from rank 0 */
    MPI_Wait(&spread, MPI_STATUS_IGNORE);
  }
  MPI_Request_free(&sum);
  MPI_Request_free(&spread);
#if MPI_VERSION >= 4
  MPI_Request request;
  MPI_Count counts[2] = {1, 2};
  MPI_Aint places[2] = {0, 1};
  MPI_Irecv_c(b, 100, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &request);
  MPI_Send_c(a, 50, MPI_DOUBLE, other, 0, MPI_COMM_WORLD); /* 400 bytes */
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Allgatherv_c(a, rank + 1, MPI_INT, b, counts, places, MPI_INT, MPI_COMM_WORLD);
  MPI_Isendrecv(a, 3, MPI_INT, other, 1, b, 9, MPI_INT, other, 1, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
  MPI_Finalize();
  return 0;
}
