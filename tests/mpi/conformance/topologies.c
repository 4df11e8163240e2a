/* Process topologies: grids, graphs and distributed graphs with weights, what they answer, and the neighbourhood
 * collectives on them, blocking, non-blocking and persistent. */
#include "observe.h"

enum { room = 16, most = 8 };
static int in[room], out[room];
static Count ones[most];
static Place steps[most];
static MPI_Aint bytes[most];
static MPI_Datatype types[most];

static void reset(void) {
  int i;
  for (i = 0; i < room; i++) {
    in[i] = 100 * (rank + 1) + i;
    out[i] = -1;
  }
}

#define FORM(name) name##_blocking
#define DO(Name, name, ...) TRY_BIG(MPI_##Name, __VA_ARGS__, comm)
#include "neighbour_cases.h"

#define FORM(name) name##_non_blocking
#define DO(Name, name, ...)                                                        \
  do {                                                                             \
    MPI_Request request;                                                           \
    if (TRY_BIG(MPI_I##name, __VA_ARGS__, comm, &request) == MPI_SUCCESS)          \
      TRY(MPI_Wait, &request, MPI_STATUS_IGNORE);                                  \
  } while (0)
#include "neighbour_cases.h"

#if MPI_VERSION >= 4
#define INIT(Name, ...) TRY_BIG(MPI_##Name##_init, __VA_ARGS__)
#else
#define INIT(Name, ...) TRY(MPIX_##Name##_init, __VA_ARGS__)
#endif
#define FORM(name) name##_persistent
#define DO(Name, name, ...)                                                        \
  do {                                                                             \
    MPI_Request request;                                                           \
    if (INIT(Name, __VA_ARGS__, comm, MPI_INFO_NULL, &request) == MPI_SUCCESS) {   \
      TRY(MPI_Start, &request);                                                    \
      TRY(MPI_Wait, &request, MPI_STATUS_IGNORE);                                  \
      TRY(MPI_Request_free, &request);                                             \
    }                                                                              \
  } while (0)
#include "neighbour_cases.h"

static void all_forms(MPI_Comm comm, int sources, int targets) {
  neighbours_blocking(comm, sources, targets);
  neighbours_non_blocking(comm, sources, targets);
  neighbours_persistent(comm, sources, targets);
}

static void grid(void) {
  const int periods[2] = {1, 0};
  int dims[2] = {0, 0}, got[2], circular[2], own[2], dimensions = -1, from = -7, to = -7, there = -7, kind = -1, new_rank, i;
  const int keep[2] = {1, 0};
  MPI_Comm cart, row, none;
  TRY(MPI_Dims_create, size, 2, dims);
  say_numbers("dims", dims, 2);
  TRY(MPI_Cart_create, MPI_COMM_WORLD, 2, dims, periods, 0, &cart);
  TRY(MPI_Topo_test, cart, &kind);
  say("cart: %d", kind == MPI_CART);
  TRY(MPI_Cartdim_get, cart, &dimensions);
  TRY(MPI_Cart_get, cart, 2, got, circular, own);
  say("dimensions %d", dimensions);
  say_numbers("dims", got, 2);
  say_numbers("periods", circular, 2);
  say_numbers("own", own, 2);
  TRY(MPI_Cart_coords, cart, size - 1, 2, got);
  say_numbers("last", got, 2);
  TRY(MPI_Cart_rank, cart, own, &there);
  say("rank %d", there);
  for (i = 0; i < 2; i++) {
    TRY(MPI_Cart_shift, cart, i, 1, &from, &to);
    say("shift %d: from %d to %d", i, from == MPI_PROC_NULL ? -1 : from, to == MPI_PROC_NULL ? -1 : to);
  }
  TRY(MPI_Cart_map, MPI_COMM_WORLD, 2, dims, periods, &new_rank);
  TRY(MPI_Cart_sub, cart, keep, &row);
  PMPI_Comm_size(row, &there);
  say("row of %d", there);
  all_forms(cart, 4, 4);
  TRY(MPI_Comm_set_errhandler, cart, MPI_ERRORS_RETURN);
  dims[0] = 5 * size;
  TRY(MPI_Cart_create, MPI_COMM_WORLD, 2, dims, periods, 0, &none);
  dims[0] = 1;
  dims[1] = size > 1 ? size - 1 : 1;
  TRY(MPI_Cart_create, MPI_COMM_WORLD, 2, dims, periods, 0, &none);
  say("left out: %d", none == MPI_COMM_NULL);
  if (none != MPI_COMM_NULL) CALL(MPI_Comm_free, &none);
  TRY(MPI_Cart_shift, cart, 7, 1, &from, &to);
  TRY(MPI_Cart_coords, MPI_COMM_WORLD, 0, 2, got);
  TRY(MPI_Comm_free, &row);
  TRY(MPI_Comm_free, &cart);
}

static void graph(void) { /* a ring */
  int index[most], edges[2 * most], i, nodes, count, kind, neighbours[most], new_rank;
  MPI_Comm ring;
  for (i = 0; i < size; i++) {
    index[i] = 2 * (i + 1);
    edges[2 * i] = (i + size - 1) % size;
    edges[2 * i + 1] = (i + 1) % size;
  }
  TRY(MPI_Graph_create, MPI_COMM_WORLD, size, index, edges, 0, &ring);
  TRY(MPI_Topo_test, ring, &kind);
  say("graph: %d", kind == MPI_GRAPH);
  TRY(MPI_Graphdims_get, ring, &nodes, &count);
  say("nodes %d edges %d", nodes, count);
  TRY(MPI_Graph_get, ring, most, 2 * most, index, edges);
  say_numbers("index", index, nodes);
  say_numbers("edges", edges, count);
  TRY(MPI_Graph_neighbors_count, ring, rank, &count);
  TRY(MPI_Graph_neighbors, ring, rank, most, neighbours);
  say_numbers("neighbours", neighbours, count);
  TRY(MPI_Graph_map, MPI_COMM_WORLD, size, index, edges, &new_rank);
  if (size > 2) all_forms(ring, 2, 2);
  TRY(MPI_Comm_free, &ring);
}

static void distributed(void) {
  int from[most], to[most], weights[most], other[most], count, more, weighted, i;
  const int left = (rank + size - 1) % size, right = (rank + 1) % size, degree = 1;
  MPI_Comm star, ring;
  /* everybody to rank 0, which answers nobody; the weights say who */
  count = rank == 0 ? size - 1 : 0;
  for (i = 0; i < size - 1; i++) {
    from[i] = i + 1;
    weights[i] = 10 * (i + 1);
  }
  to[0] = 0;
  other[0] = 10 * rank;
  TRY(MPI_Dist_graph_create_adjacent, MPI_COMM_WORLD, count, from, weights, rank > 0, to, other, MPI_INFO_NULL, 0, &star);
  TRY(MPI_Topo_test, star, &i);
  say("distributed: %d", i == MPI_DIST_GRAPH);
  TRY(MPI_Dist_graph_neighbors_count, star, &count, &more, &weighted);
  say("sources %d targets %d weighted %d", count, more, weighted);
  TRY(MPI_Dist_graph_neighbors, star, count, from, weights, more, to, other);
  say_numbers("from", from, count);
  say_numbers("weights", weights, count);
  say_numbers("to", to, more);
  say_numbers("weights", other, more);
  all_forms(star, count, more);
  TRY(MPI_Dist_graph_create, MPI_COMM_WORLD, 1, &rank, &degree, &right, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring);
  TRY(MPI_Dist_graph_neighbors_count, ring, &count, &more, &weighted);
  say("sources %d targets %d weighted %d", count, more, weighted);
  TRY(MPI_Dist_graph_neighbors, ring, 1, from, MPI_UNWEIGHTED, 1, to, MPI_UNWEIGHTED);
  say("left %d right %d", from[0] == left, to[0] == right);
  all_forms(ring, 1, 1);
  TRY(MPI_Comm_free, &ring);
  TRY(MPI_Dist_graph_create, MPI_COMM_WORLD, 0, NULL, NULL, NULL, MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, 0, &ring);
  TRY(MPI_Dist_graph_neighbors_count, ring, &count, &more, &weighted);
  say("sources %d targets %d weighted %d", count, more, weighted);
  all_forms(ring, 0, 0);
  TRY(MPI_Neighbor_allgather, in, 1, MPI_INT, out, 1, MPI_INT, MPI_COMM_WORLD);
  TRY(MPI_Comm_free, &ring);
  TRY(MPI_Comm_free, &star);
}

int main(int argc, char** argv) {
  int i;
  begin(argc, argv);
  for (i = 0; i < most; i++) {
    ones[i] = 1;
    steps[i] = 2 * i;
    bytes[i] = (MPI_Aint)(2 * (size_t)i * sizeof(int));
    types[i] = MPI_INT;
  }
  grid();
  graph();
  distributed();
  return finish();
}
