/* Known answer: input and output by the C library. Rank 0 reads 100 bytes from a FIFO, whose writer sleeps 0.3 s first;
 * both ranks write and read a file of their own, and write one together by MPI, whose own calls must not count. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "andes/probe.h"

static char data[4000];

static void need(int holds, const char* what) {
  if (holds) return;
  perror(what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void slow_read(const char* path) {
  static struct andes_site site = ANDES_SITE("slow_read", "posix.c", __LINE__, ANDES_KIND_FUNCTION);
  ANDES_PROBE(&site)
  need(mkfifo(path, 0600) == 0, path);
  const pid_t writer = fork();
  if (writer == 0) {
    const int file = open(path, O_WRONLY);
    usleep(300000);
    _exit(write(file, data, 100) != 100);
  }
  const int file = open(path, O_RDONLY);
  need(read(file, data, sizeof data) == 100, "read");
  close(file);
  int status = 1;
  need(waitpid(writer, &status, 0) == writer && status == 0, "writer");
}

static void own_file(const char* path) {
  static struct andes_site site = ANDES_SITE("own_file", "posix.c", __LINE__, ANDES_KIND_FUNCTION);
  ANDES_PROBE(&site)
  const int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
  for (int i = 0; i < 3; ++i) need(write(file, data, 1000) == 1000, "write");
  need(pwrite(file, data, 500, 3000) == 500, "pwrite");
  need(fsync(file) == 0, "fsync");
  need(pread(file, data, 400, 0) == 400, "pread");
  need(lseek(file, 3400, SEEK_SET) == 3400 && read(file, data, 4000) == 100, "the end of the file");
  need(read(file, data, 4000) == 0, "behind the end of the file");
  need(read(-1, data, 4000) == -1, "no file");
  close(file);
  FILE* stream = fopen(path, "w+");
  need(stream != NULL && fwrite(data, 10, 20, stream) == 20 && fflush(stream) == 0, "fwrite");
  rewind(stream);
  need(fread(data, 1, sizeof data, stream) == 200, "fread");
  fclose(stream);
}

static void together(const char* path) {
  MPI_File file;
  need(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file) == MPI_SUCCESS,
       path);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File_write_at(file, (MPI_Offset)sizeof data * rank, data, sizeof data, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  static struct andes_site site = ANDES_SITE("main", "posix.c", __LINE__, ANDES_KIND_FUNCTION);
  ANDES_PROBE(&site)
  int rank;
  char path[4096];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  memset(data, 1, sizeof data);
  snprintf(path, sizeof path, "%s.fifo", argv[1]);
  if (rank == 0) slow_read(path);
  snprintf(path, sizeof path, "%s.%d", argv[1], rank);
  own_file(path);
  together(argv[1]);
  MPI_Finalize();
  return 0;
}
