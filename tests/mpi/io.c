/* io.c: collective file I/O, which MPI libraries build from other MPI calls, and C's errors. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank, numbers[1000], code;
  MPI_File file;
  MPI_Status status;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 1000; i++) numbers[i] = rank;
  MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  MPI_File_write_at_all(file, rank * sizeof numbers, numbers, 1000, MPI_INT, &status);
  MPI_File_read_at_all(file, rank * sizeof numbers, numbers, 1000, MPI_INT, &status);
  MPI_File_close(&file);
  /* a call that fails counts as a visit, but has sent nothing; the program sees its error */
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  code = MPI_Send(numbers, 1, MPI_INT, 12345, 0, MPI_COMM_WORLD);
  printf("rank %d read %d, failed %d\n", rank, numbers[999], code != MPI_SUCCESS);
  MPI_Finalize();
  return 0;
}
