/* log_many N: N messages from rank 0 to rank 1, message i of i % 1000 + 1 bytes, in batches of
 * non-blocking operations. */
#include <mpi.h>
#include <stdlib.h>

enum { batch = 100, most = 1000 };
static char data[batch][most];

int main(int argc, char** argv) {
  MPI_Request requests[batch];
  int rank, count = atoi(argv[1]);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < count; i += batch) {
    for (int k = 0; k < batch; k++)
      if (rank == 0)
        MPI_Isend(data[k], (i + k) % 1000 + 1, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &requests[k]);
      else
        MPI_Irecv(data[k], most, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &requests[k]);
    MPI_Waitall(batch, requests, MPI_STATUSES_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
