/* A ring without end of calls and messages. Each rank keeps what it has done in a file that outlives it, FOLDER/RANK:
 * how many calls of work() it has begun, and messages it has sent and received. Usage: counting FOLDER. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

struct done {
  volatile long works, sent, received;
};

static void work(struct done *done) {
  done->works++;
  for (volatile int i = 0; i < 200; ++i);
}

static void exchange(struct done *done, int rank, int ranks) {
  char out[200], in[200];
  MPI_Request request;
  MPI_Irecv(in, sizeof in, MPI_CHAR, (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, &request);
  MPI_Send(out, 100 + rank, MPI_CHAR, (rank + 1) % ranks, 0, MPI_COMM_WORLD);
  done->sent++;
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  done->received++;
}

int main(int argc, char **argv) {
  int rank, ranks, file;
  char path[4096];
  struct done *done;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  snprintf(path, sizeof path, "%s/%d", argv[1], rank);
  file = open(path, O_RDWR | O_CREAT, 0600);
  if (file < 0 || ftruncate(file, sizeof *done) != 0) return 1;
  done = mmap(NULL, sizeof *done, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (done == MAP_FAILED) return 1;
  for (;;) {
    for (int i = 0; i < 50; ++i) work(done);
    exchange(done, rank, ranks);
  }
}
