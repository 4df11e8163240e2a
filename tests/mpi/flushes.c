/* Calls that flush all targets of a window, each of 1 ms at least, on three ranks; test_log.py has the counts. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <unistd.h>

static int sleep_and_call(const char* name, MPI_Win win) {
  int (*next)(MPI_Win) = (int (*)(MPI_Win))dlsym(RTLD_NEXT, name);
  usleep(1000);
  return next(win);
}

/* In the place of the MPI library's. */
int PMPI_Win_flush_all(MPI_Win win) { return sleep_and_call("PMPI_Win_flush_all", win); }
int PMPI_Win_flush_local_all(MPI_Win win) { return sleep_and_call("PMPI_Win_flush_local_all", win); }

int main(int argc, char** argv) {
  MPI_Win win;
  int rank, *memory, value = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  MPI_Win_lock_all(0, win);
  MPI_Accumulate(&value, 1, MPI_INT, (rank + 1) % 3, 0, 1, MPI_INT, MPI_SUM, win);
  MPI_Win_flush_all(win); /* one target */
  MPI_Win_flush_all(win); /* none */
  for (int i = 1; i < 3; i++) MPI_Accumulate(&value, 1, MPI_INT, (rank + i) % 3, 0, 1, MPI_INT, MPI_SUM, win);
  MPI_Win_flush_local_all(win); /* two */
  MPI_Win_flush_all(win); /* two, who may not have the data yet */
  MPI_Win_flush_all(win); /* none */
  MPI_Accumulate(&value, 1, MPI_INT, (rank + 2) % 3, 0, 1, MPI_INT, MPI_SUM, win);
  MPI_Win_flush((rank + 2) % 3, win);
  MPI_Win_flush_all(win); /* none */
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
