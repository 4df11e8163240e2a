/* Known answer: how many messages of which size, of two ranks. Sizes stand beside the limits of classes. With an argument
 * both ranks die before MPI_Finalize. */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>

#include "andes/probe.h"

enum { large = 1 << 20, batch = 10 };

static int rank;
static char *out, *in;

#define PROBED(name)                                                                                                   \
  static struct andes_site site = ANDES_SITE(name, "sizes.c", __LINE__, ANDES_KIND_FUNCTION);                          \
  ANDES_PROBE(&site)

static void blocking(int count, int bytes) {
  PROBED("blocking")
  for (int i = 0; i < count; ++i)
    if (rank == 0) MPI_Send(out, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    else MPI_Recv(in, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void nonblocking(int count, int bytes) {
  PROBED("nonblocking")
  MPI_Request requests[batch];
  for (int i = 0; i < count; i += batch) {
    for (int k = 0; k < batch; ++k)
      if (rank == 0) MPI_Isend(out, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &requests[k]);
      else MPI_Irecv(in, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &requests[k]);
    MPI_Waitall(batch, requests, MPI_STATUSES_IGNORE);
  }
}

static void persistent(int count, int bytes) {
  PROBED("persistent")
  MPI_Request request;
  if (rank == 0) MPI_Send_init(out, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &request);
  else MPI_Recv_init(in, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &request);
  for (int i = 0; i < count; ++i) {
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Request_free(&request);
}

static void exchange(void) {
  PROBED("exchange")
  for (int i = 0; i < 6; ++i)
    MPI_Sendrecv(out, rank == 0 ? 16 : 4096, MPI_BYTE, 1 - rank, 0, in, rank == 0 ? 4096 : 16, MPI_BYTE, 1 - rank, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void collective(void) {
  PROBED("collective")
  double value = 0, sum;
  for (int i = 0; i < 7; ++i) MPI_Bcast(out, 64, MPI_BYTE, 0, MPI_COMM_WORLD);
  for (int i = 0; i < 30; ++i) MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < 3; ++i) MPI_Barrier(MPI_COMM_WORLD);
}

static void one_sided(void) {
  PROBED("one_sided")
  MPI_Win win;
  MPI_Win_create(in, large, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_fence(0, win);
  for (int i = 0; i < 5; ++i) MPI_Put(out, 128, MPI_BYTE, 1 - rank, 0, 128, MPI_BYTE, win);
  MPI_Win_fence(0, win);
  for (int i = 0; i < 4; ++i) MPI_Get(out, 65536, MPI_BYTE, 1 - rank, 0, 65536, MPI_BYTE, win);
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  PROBED("main")
  out = calloc(9 * large, 1), in = calloc(9 * large, 1);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  blocking(1000, 8), blocking(100, 1024), blocking(10, large), blocking(4, 0), blocking(2, 9 * large);
  nonblocking(1000, 8), nonblocking(100, 1024), nonblocking(10, large), nonblocking(20, 1023);
  persistent(50, 63), persistent(40, 64);
  exchange();
  collective();
  one_sided();
  if (argc > 1) MPI_Barrier(MPI_COMM_WORLD), raise(SIGKILL);
  free(out), free(in);
  MPI_Finalize();
  return 0;
}
