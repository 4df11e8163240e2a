/* mpi_spawn.c: a job that starts others. Each is a world of its own, with a run file of its own.
 *
 *   mpi_spawn            one rank, spawns two that end after it; before it if ODD_CHILDREN_FIRST is set
 *   mpi_spawn CASE...    one rank, for each case in turn a world:
 *     one                two ranks
 *     several            two commands, of one rank and of two, by MPI_Comm_spawn_multiple
 *     nested             one rank, which spawns two itself */
#include <mpi.h>
#include <unistd.h>

#include "odd.h"

static char *self;

FUNCTION int deeper(int rank) { return rank + 1; }

/* The children's sum, by messages over `children`. */
FUNCTION int listens(MPI_Comm children) {
  int sum = 0, size = 0;
  MPI_Comm_remote_size(children, &size);
  for (int i = 0; i < size; i++) {
    int got = 0;
    MPI_Recv(&got, 1, MPI_INT, i, 1, children, MPI_STATUS_IGNORE);
    sum += got;
  }
  MPI_Barrier(children);
  MPI_Comm_disconnect(&children);
  return sum;
}
FUNCTION int parent(const char *what) {
  MPI_Comm children;
  char *nested[] = {(char *)"one", NULL}, *commands[] = {self, self};
  const int counts[] = {1, 2};
  const MPI_Info infos[] = {MPI_INFO_NULL, MPI_INFO_NULL};
  if (!strcmp(what, "several"))
    MPI_Comm_spawn_multiple(2, commands, MPI_ARGVS_NULL, counts, infos, 0, MPI_COMM_SELF, &children, MPI_ERRCODES_IGNORE);
  else if (!strcmp(what, "nested"))
    MPI_Comm_spawn(self, nested, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &children, MPI_ERRCODES_IGNORE);
  else
    MPI_Comm_spawn(self, MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_SELF, &children, MPI_ERRCODES_IGNORE);
  return listens(children);
}
FUNCTION void child(MPI_Comm parents) {
  int rank, mine = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 5; i++) mine += deeper(rank);
  MPI_Send(&mine, 1, MPI_INT, 0, 1, parents);
  MPI_Barrier(parents);
  MPI_Comm_disconnect(&parents);
}

int main(int argc, char **argv) {
  MPI_Comm parents;
  self = argv[0];
  MPI_Init(&argc, &argv);
  MPI_Comm_get_parent(&parents);
  const int is_child = parents != MPI_COMM_NULL;
  if (is_child) child(parents);
  for (int i = 1; i < argc; i++) {
    const int sum = parent(argv[i]);
    if (!is_child) printf("%s %d\n", argv[i], sum);
    else NEED(sum == 15);
  }
  if (!is_child && argc == 1) printf("%d\n", parent("one"));
  /* Which world ends first is chance, but for these. */
  if (is_child != (getenv("ODD_CHILDREN_FIRST") != NULL)) usleep(300000);
  MPI_Finalize();
  return 0; /* else the launcher would end who is still there */
}
