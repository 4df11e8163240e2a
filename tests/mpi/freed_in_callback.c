/* A communicator that is freed by the callback of another one's attribute, which MPI calls: mpi4py keeps its private
 * communicators so. */
#include <mpi.h>
#include <stdio.h>

static int free_private(MPI_Comm comm, int keyval, void *value, void *extra) {
  MPI_Comm *private_comm = value;
  (void)comm, (void)keyval, (void)extra;
  return MPI_Comm_free(private_comm);
}

int main(int argc, char **argv) {
  MPI_Comm private_comm, again;
  int keyval, rank, sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &private_comm);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, private_comm);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_private, &keyval, NULL);
  MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, &private_comm);
  MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval);
  MPI_Comm_free_keyval(&keyval);
  MPI_Comm_dup(MPI_COMM_WORLD, &again); /* may have the same handle */
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, again);
  MPI_Comm_free(&again);
  MPI_Finalize();
  if (rank == 0) printf("freed: done\n");
  return 0;
}
