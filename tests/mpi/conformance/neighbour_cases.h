/* Neighbourhood collectives in one form: included by topologies.c three times (as collective_cases.h is). */

static void FORM(neighbours)(MPI_Comm comm, int sources, int targets) {
  const int all = room;
  reset();
  DO(Neighbor_allgather, neighbor_allgather, in, 2, MPI_INT, out, 2, MPI_INT);
  say_numbers("allgather", out, 2 * sources + 2);
  reset();
  DO(Neighbor_allgatherv, neighbor_allgatherv, in, 1, MPI_INT, out, ones, steps, MPI_INT);
  say_numbers("allgatherv", out, all);
  reset();
  DO(Neighbor_alltoall, neighbor_alltoall, in, 2, MPI_INT, out, 2, MPI_INT);
  say_numbers("alltoall", out, all);
  reset();
  DO(Neighbor_alltoallv, neighbor_alltoallv, in, ones, steps, MPI_INT, out, ones, steps, MPI_INT);
  say_numbers("alltoallv", out, all);
  reset();
  DO(Neighbor_alltoallw, neighbor_alltoallw, in, ones, bytes, types, out, ones, bytes, types);
  say_numbers("alltoallw", out, all);
  reset();
  DO(Neighbor_allgather, neighbor_allgather, in, 0, MPI_INT, out, 0, MPI_INT);
  DO(Neighbor_allgather, neighbor_allgather, in, -1, MPI_INT, out, 1, MPI_INT);
  say("targets %d", targets);
}
#undef FORM
#undef DO
