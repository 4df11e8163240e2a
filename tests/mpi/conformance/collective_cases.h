/* All collectives in one form: included by collectives.c three times, with FORM(name) for names of its own,
 * DO(Name, name, arguments but the communicator) and DO_BARRIER(). */

static void FORM(intra)(MPI_Comm comm, int in_place) {
  const int root = 1, last = ranks - 1;
  const void* const same = MPI_IN_PLACE;
  int i;

  reset();
  DO(Bcast, bcast, in, 3, MPI_INT, root);
  say_numbers("bcast", in, 6);
  reset();
  DO(Bcast, bcast, in, 0, MPI_INT, root);
  if (in_place && place == root) {
    for (i = 0; i < 2; i++) out[2 * root + i] = in[i];
    DO(Gather, gather, same, 0, MPI_DATATYPE_NULL, out, 2, MPI_INT, root);
  } else {
    DO(Gather, gather, in, 2, MPI_INT, out, 2, MPI_INT, root);
  }
  say_numbers("gather", out, 12);
  reset();
  if (in_place && place == last) {
    for (i = 0; i < counts[last]; i++) out[places[last] + i] = in[i];
    DO(Gatherv, gatherv, same, 0, MPI_DATATYPE_NULL, out, counts, places, MPI_INT, last);
  } else {
    DO(Gatherv, gatherv, in, counts[place], MPI_INT, out, counts, places, MPI_INT, last);
  }
  say_numbers("gatherv", out, 12);
  reset();
  if (in_place && place == root) DO(Scatter, scatter, in, 2, MPI_INT, (void*)same, 2, MPI_INT, root);
  else DO(Scatter, scatter, in, 2, MPI_INT, out, 2, MPI_INT, root);
  say_numbers("scatter", out, 4);
  reset();
  if (in_place && place == 0) DO(Scatterv, scatterv, in, counts, places, MPI_INT, (void*)same, 0, MPI_INT, 0);
  else DO(Scatterv, scatterv, in, counts, places, MPI_INT, out, counts[place], MPI_INT, 0);
  say_numbers("scatterv", out, 6);
  reset();
  if (in_place) out[place] = in[0];
  DO(Allgather, allgather, in_place ? same : in, 1, MPI_INT, out, 1, MPI_INT);
  say_numbers("allgather", out, 6);
  reset();
  if (in_place) for (i = 0; i < counts[place]; i++) out[places[place] + i] = in[i];
  DO(Allgatherv, allgatherv, in_place ? same : in, counts[place], MPI_INT, out, counts, places, MPI_INT);
  say_numbers("allgatherv", out, 12);
  reset();
  if (in_place) memcpy(out, in, sizeof out);
  DO(Alltoall, alltoall, in_place ? same : in, 2, MPI_INT, out, 2, MPI_INT);
  say_numbers("alltoall", out, 12);
  reset();
  if (in_place) memcpy(out, in, sizeof out);
  DO(Alltoallv, alltoallv, in_place ? same : in, ones, steps, MPI_INT, out, ones, steps, MPI_INT);
  say_numbers("alltoallv", out, 12);
  reset();
  if (in_place) memcpy(out, in, sizeof out);
  DO(Alltoallw, alltoallw, in_place ? same : in, ones, bytes, types, out, ones, bytes, types);
  say_numbers("alltoallw", out, 12);

  reset();
  if (in_place) memcpy(out, in, sizeof out);
  if (in_place && place != root) DO(Reduce, reduce, in, out, 4, MPI_INT, MPI_SUM, root);
  else DO(Reduce, reduce, in_place ? same : in, out, 4, MPI_INT, MPI_SUM, root);
  say_numbers("reduce", out, 6);
  reset();
  if (in_place) memcpy(out, in, sizeof out);
  DO(Allreduce, allreduce, in_place ? same : in, out, 4, MPI_INT, MPI_MAX);
  say_numbers("allreduce", out, 6);
  reset();
  if (in_place) memcpy(out, in, sizeof out);
  DO(Allreduce, allreduce, in_place ? same : in, out, 2, MPI_2INT, MPI_MINLOC);
  say_numbers("allreduce of pairs", out, 6);
  reset();
  if (in_place) memcpy(out, in, sizeof out);
  DO(Reduce_scatter, reduce_scatter, in_place ? same : in, out, counts, MPI_INT, MPI_SUM);
  say_numbers("reduce_scatter", out, in_place ? counts[place] : 6);
  reset();
  if (in_place) memcpy(out, in, sizeof out);
  DO(Reduce_scatter_block, reduce_scatter_block, in_place ? same : in, out, 2, MPI_INT, MPI_SUM);
  say_numbers("reduce_scatter_block", out, in_place ? 2 : 6);
  reset();
  if (in_place) memcpy(out, in, sizeof out);
  DO(Scan, scan, in_place ? same : in, out, 3, MPI_INT, MPI_SUM);
  say_numbers("scan", out, 6);
  reset();
  if (in_place) memcpy(out, in, sizeof out);
  DO(Exscan, exscan, in_place ? same : in, out, 3, MPI_INT, MPI_SUM);
  if (place > 0) say_numbers("exscan", out, 6);

  reset(); /* by an operation of the program's, which neither commutes nor takes 0 */
  DO(Allreduce, allreduce, in, out, 3, MPI_INT, own_op);
  say_numbers("allreduce by own operation", out, 6);
  reset();
  DO(Reduce, reduce, in, out, 3, MPI_INT, own_op, 0);
  say_numbers("reduce by own operation", out, 6);
  reset();
  DO(Scan, scan, in, out, 3, MPI_INT, own_op);
  say_numbers("scan by own operation", out, 6);

  reset(); /* of other types on both sides */
  DO(Allgather, allgather, in, 1, pair_type, out, 2, MPI_INT);
  say_numbers("allgather of a vector", out, 8);
  reset();
  DO(Bcast, bcast, in, 2, pair_type, last);
  say_numbers("bcast of a vector", in, 8);
  DO_BARRIER();

  /* wrong on every rank, found before anything is sent */
  DO(Bcast, bcast, in, -1, MPI_INT, root);
  DO(Bcast, bcast, in, 1, MPI_INT, ranks);
  DO(Reduce, reduce, in, out, 1, MPI_INT, MPI_OP_NULL, root);
  DO(Allreduce, allreduce, in, out, 1, MPI_DATATYPE_NULL, MPI_SUM);
}

/* On an inter-communicator: the first group has one rank, the other the rest. */
static void FORM(inter)(MPI_Comm comm) {
  const int first = rank == 0, peers = first ? size - 1 : 1;
  int root = first ? MPI_ROOT : 0;
  reset();
  DO(Bcast, bcast, in, 3, MPI_INT, root);
  say_numbers("bcast", in, 6);
  reset();
  DO(Gather, gather, in, 2, MPI_INT, out, 2, MPI_INT, root);
  say_numbers("gather", out, 6);
  reset();
  DO(Scatter, scatter, in, 2, MPI_INT, out, 2, MPI_INT, root);
  say_numbers("scatter", out, 6);
  reset();
  DO(Gatherv, gatherv, in, 1, MPI_INT, out, ones, steps, MPI_INT, root);
  say_numbers("gatherv", out, 6);
  reset();
  DO(Scatterv, scatterv, in, ones, steps, MPI_INT, out, 1, MPI_INT, root);
  say_numbers("scatterv", out, 6);
  reset();
  DO(Reduce, reduce, in, out, 2, MPI_INT, MPI_SUM, root);
  say_numbers("reduce", out, 6);
  root = first ? 0 : place == 0 ? MPI_ROOT : MPI_PROC_NULL;
  reset();
  DO(Bcast, bcast, in, 3, MPI_INT, root);
  say_numbers("bcast back", in, 6);
  reset();
  DO(Allgather, allgather, in, 2, MPI_INT, out, 2, MPI_INT);
  say_numbers("allgather", out, 2 * peers + 2);
  reset();
  DO(Allgatherv, allgatherv, in, 1, MPI_INT, out, ones, steps, MPI_INT);
  say_numbers("allgatherv", out, 6);
  reset();
  DO(Alltoall, alltoall, in, 1, MPI_INT, out, 1, MPI_INT);
  say_numbers("alltoall", out, 6);
  reset();
  DO(Alltoallv, alltoallv, in, ones, steps, MPI_INT, out, ones, steps, MPI_INT);
  say_numbers("alltoallv", out, 6);
  reset();
  DO(Alltoallw, alltoallw, in, ones, bytes, types, out, ones, bytes, types);
  say_numbers("alltoallw", out, 6);
  reset();
  DO(Allreduce, allreduce, in, out, 2, MPI_INT, MPI_SUM);
  say_numbers("allreduce", out, 6);
  reset();
  DO(Reduce_scatter_block, reduce_scatter_block, in, out, first ? size - 1 : 1, MPI_INT, MPI_SUM);
  say_numbers("reduce_scatter_block", out, 6);
  DO_BARRIER();
  DO(Allreduce, allreduce, MPI_IN_PLACE, out, 2, MPI_INT, MPI_OP_NULL);
}
#undef FORM
#undef DO
#undef DO_BARRIER
