/* files.c: every way of MPI-IO to read and write, with known bytes, and a collective open that rank 0 waits in. With
 * "posix" nothing of MPI-IO. */
#include <mpi.h>
#include <string.h>
#include <unistd.h>

#define PART 1000 /* integers of a call */
#define CHECK(call) do { if ((call) != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, 3); } while (0)

int main(int argc, char** argv) {
  int rank, data[PART];
  MPI_File file;
  MPI_Status status;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  memset(data, 0, sizeof data);
  if (rank == 1) usleep(300000);
  CHECK(MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file));
  const MPI_Offset at = (MPI_Offset)rank * sizeof data;
  CHECK(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
  CHECK(MPI_File_write_at(file, at / 4, data, PART, MPI_INT, &status));
  CHECK(MPI_File_write_at_all(file, at / 4, data, PART, MPI_INT, MPI_STATUS_IGNORE));
  CHECK(MPI_File_write_at_all_begin(file, at / 4, data, PART, MPI_INT));
  CHECK(MPI_File_write_at_all_end(file, data, &status));
  CHECK(MPI_File_seek(file, at / 4, MPI_SEEK_SET));
  CHECK(MPI_File_write(file, data, PART / 2, MPI_INT, &status));
  CHECK(MPI_File_seek(file, at / 4, MPI_SEEK_SET));
  CHECK(MPI_File_write_all(file, data, PART / 4, MPI_INT, &status));
  CHECK(MPI_File_seek(file, at / 4, MPI_SEEK_SET));
  CHECK(MPI_File_write_all_begin(file, data, PART / 5, MPI_INT));
  CHECK(MPI_File_write_all_end(file, data, MPI_STATUS_IGNORE));
  CHECK(MPI_File_iwrite_at(file, at / 4, data, 10, MPI_INT, &request));
  CHECK(MPI_Wait(&request, MPI_STATUS_IGNORE));
  CHECK(MPI_File_seek(file, at / 4, MPI_SEEK_SET));
  CHECK(MPI_File_iwrite(file, data, 20, MPI_INT, &request));
  CHECK(MPI_Wait(&request, MPI_STATUS_IGNORE));
  CHECK(MPI_File_sync(file));
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(MPI_File_read_at(file, at / 4, data, PART, MPI_INT, &status));
  CHECK(MPI_File_read_at_all(file, at / 4, data, PART, MPI_INT, MPI_STATUS_IGNORE));
  CHECK(MPI_File_read_at_all_begin(file, at / 4, data, PART, MPI_INT));
  CHECK(MPI_File_read_at_all_end(file, data, &status));
  CHECK(MPI_File_seek(file, at / 4, MPI_SEEK_SET));
  CHECK(MPI_File_read(file, data, PART / 2, MPI_INT, &status));
  CHECK(MPI_File_seek(file, at / 4, MPI_SEEK_SET));
  CHECK(MPI_File_read_all(file, data, PART / 4, MPI_INT, &status));
  CHECK(MPI_File_iread_at(file, at / 4, data, 10, MPI_INT, &request));
  CHECK(MPI_Wait(&request, MPI_STATUS_IGNORE));
  CHECK(MPI_File_seek(file, at / 4, MPI_SEEK_SET));
  CHECK(MPI_File_iread(file, data, 20, MPI_INT, &request));
  CHECK(MPI_Wait(&request, MPI_STATUS_IGNORE));
  /* the file ends within this call: 100 integers before its end */
  MPI_Offset size;
  CHECK(MPI_File_get_size(file, &size));
  CHECK(MPI_File_read_at(file, size / 4 - 100, data, PART, MPI_INT, &status));
  /* the pointer that all ranks share: behind what is there */
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
  CHECK(MPI_File_write_shared(file, data, 30, MPI_INT, &status));
  CHECK(MPI_File_write_ordered(file, data, 40, MPI_INT, &status));
  CHECK(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
  CHECK(MPI_File_read_shared(file, data, 30, MPI_INT, &status));
  CHECK(MPI_File_read_ordered(file, data, 40, MPI_INT, &status));
  CHECK(MPI_File_close(&file));
  MPI_Finalize();
  return 0;
}
