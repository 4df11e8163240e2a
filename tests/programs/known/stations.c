/* Known answer: what each of four ranks is doing, while somebody looks from outside.
 *
 *   stations RELEASE
 *
 * Rank r sleeps (r + 1) * 250 ms in known(), then goes to its station and stays until the file RELEASE
 * exists:
 *   0  main > watch_file           computing, as andes sees it
 *   1  main > exchange > MPI_Recv  from rank 0
 *   2  main > outer > hold         computing
 *   3  main > meet > MPI_Barrier   of ranks 0 and 3
 * Every rank calls MPI_Pcontrol(2) before it. `stations RELEASE die` ends rank 2 by SIGKILL
 * when the file is there, and the others stay where they are.
 */
#include <mpi.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"

static void known(int rank) { sleep_ms((rank + 1) * 250.0); }

static void watch_file(const char* name) {
  while (access(name, F_OK) != 0) sleep_ms(10);
}

static void hold(const char* name) {
  while (access(name, F_OK) != 0) sleep_ms(10);
}

static void outer(const char* name, int die) {
  hold(name);
  if (die) raise(SIGKILL);
}

static void exchange(int rank) {
  int token = 7;
  if (rank == 0)
    MPI_Send(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  else
    MPI_Recv(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void meet(MPI_Comm pair) { MPI_Barrier(pair); }

int main(int argc, char** argv) {
  int rank;
  MPI_Comm pair;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 3 == 0, rank, &pair);
  const int die = argc > 2 && strcmp(argv[2], "die") == 0;
  MPI_Pcontrol(2);
  known(rank);
  if (rank == 0) {
    watch_file(argv[1]);
    while (die) sleep_ms(10);
    exchange(rank);
  }
  if (rank == 1) exchange(rank);
  if (rank == 2) outer(argv[1], die);
  if (rank == 0 || rank == 3) meet(pair);
  MPI_Comm_free(&pair);
  MPI_Finalize();
  return 0;
}
