/* Communicators made in every way, on eight ranks. On each there is one MPI_Bcast of 1000 + NAME bytes,
 * by which a test finds it in the logs; names are the same on all members. */
#include <mpi.h>
#include <stdio.h>

static int rank;
static char data[4096];

/* One MPI_Bcast with a number of bytes that stands for `name` and nothing else. */
static void use(MPI_Comm comm, int name) {
  if (comm == MPI_COMM_NULL) return;
  int inter;
  MPI_Comm_test_inter(comm, &inter);
  if (inter) {
    int root;
    MPI_Comm_rank(comm, &root);
    /* The group of even ranks sends. */
    MPI_Bcast(data, 1000 + name, MPI_BYTE,
              rank % 2 == 0 ? (root == 0 ? MPI_ROOT : MPI_PROC_NULL) : 0, comm);
  } else {
    MPI_Bcast(data, 1000 + name, MPI_BYTE, 0, comm);
  }
}

int main(int argc, char** argv) {
  MPI_Comm world, a, b, half, cart, row, list, inter, merged, late, shared, again;
  MPI_Group group, evens;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  world = MPI_COMM_WORLD;
  MPI_Comm_rank(world, &rank);
  MPI_Comm_group(world, &group);

  /* Two of the same members, used in another order on every other rank. */
  MPI_Comm_dup(world, &a);
  MPI_Comm_idup(world, &b, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (rank < 4) use(a, 1);
  if (rank < 4) use(b, 2);
  if (rank >= 4) use(a, 1);
  if (rank >= 4) use(b, 2);
  MPI_Comm_split(world, rank % 2, -rank, &half); /* reversed */
  use(half, 3 + rank % 2);
  MPI_Comm_split(half, rank / 4, 0, &late);
  use(late, 5 + 2 * (rank % 2) + rank / 4);
  MPI_Comm_free(&late);
  MPI_Comm_split(half, rank / 4, 0, &late); /* the same members, perhaps the same handle */
  use(late, 9 + 2 * (rank % 2) + rank / 4);
  MPI_Comm_split(world, rank < 3 ? 0 : MPI_UNDEFINED, 0, &again);
  use(again, 13);
  const int dims[2] = {2, 4}, periods[2] = {0, 0}, remain[2] = {0, 1};
  MPI_Cart_create(world, 2, (int*)dims, (int*)periods, 1, &cart);
  use(cart, 14);
  MPI_Cart_sub(cart, (int*)remain, &row);
  int cart_rank;
  MPI_Comm_rank(cart, &cart_rank);
  use(row, 15 + cart_rank / 4);
  const int even_ranks[4] = {0, 2, 4, 6};
  MPI_Group_incl(group, 4, (int*)even_ranks, &evens);
  MPI_Comm_create(world, evens, &list);
  use(list, 17);
  if (rank % 2 == 0) { /* by the members alone, while the others make something else */
    MPI_Comm only, other;
    MPI_Comm_create_group(world, evens, 7, &only);
    MPI_Comm_create_group(world, evens, 7, &other);
    use(other, 19);
    use(only, 18);
  } else {
    MPI_Comm odd;
    MPI_Comm_dup(half, &odd);
    use(odd, 20);
  }
  MPI_Intercomm_create(half, 0, world, rank % 2 ? 6 : 7, 55, &inter);
  use(inter, 21);
  MPI_Intercomm_merge(inter, rank % 2, &merged);
  use(merged, 22);
  MPI_Comm_dup(inter, &again);
  use(again, 23);
  MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &shared);
  use(shared, 24);
  MPI_Comm alone;
  MPI_Comm_dup(MPI_COMM_SELF, &alone);
  use(alone, 25);
  MPI_Finalize();
  return 0;
}
