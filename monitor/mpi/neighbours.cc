// See neighbours.h.
#include "monitor/mpi/neighbours.h"

#include <cstdlib>
#include <cstring>

#include "monitor/mpi/visit.h"

namespace andes::monitor::mpi {
namespace {

constexpr std::size_t limit_kept = 16u << 20; // ranks, 64 MiB
std::size_t kept; // like all data here, used by one thread at a time (communicators.cc, `making`)
Neighbours latest;

// Room for ranks and, since distributed graphs demand it, weights.
struct Room {
  explicit Room(int degree)
      : count(degree),
        ranks(static_cast<int*>(malloc(sizeof(int) * 2 * static_cast<std::size_t>(degree ? degree : 1)))) {}
  Room(const Room&) = delete;
  ~Room() { free(ranks); }
  int* weights() const { return ranks + count; }
  int count;
  int* ranks;
};

// Leaves out neighbours beyond the edges of a grid (MPI_PROC_NULL); changes `ranks`.
Neighbours keep(int* ranks, int count) {
  unsigned known = 0;
  for (int i = 0; i < count; i++)
    if (ranks[i] >= 0) ranks[known++] = ranks[i];
  if (known == 0) return {};
  const std::size_t bytes = sizeof(int) * known;
  // Programs that make and free the same grid again and again use no more memory.
  if (latest.count == known && memcmp(latest.ranks, ranks, bytes) == 0) return latest;
  int* const fresh = kept + known <= limit_kept ? static_cast<int*>(andes_keep(bytes)) : nullptr;
  if (!fresh) return {};
  kept += known;
  memcpy(fresh, ranks, bytes);
  return latest = {fresh, known};
}

Neighbours of_grid(MPI_Comm comm) {
  int dimensions = 0;
  if (PMPI_Cartdim_get(comm, &dimensions) != MPI_SUCCESS || dimensions < 0) return {};
  const Room room(2 * dimensions);
  if (!room.ranks) return {};
  for (int i = 0; i < dimensions; i++)
    if (PMPI_Cart_shift(comm, i, 1, &room.ranks[2 * i], &room.ranks[2 * i + 1]) != MPI_SUCCESS) return {};
  return keep(room.ranks, room.count);
}

Neighbours of_graph(MPI_Comm comm) {
  int rank = 0, degree = 0;
  PMPI_Comm_rank(comm, &rank);
  if (PMPI_Graph_neighbors_count(comm, rank, &degree) != MPI_SUCCESS || degree <= 0) return {};
  const Room room(degree);
  if (!room.ranks || PMPI_Graph_neighbors(comm, rank, degree, room.ranks) != MPI_SUCCESS) return {};
  return keep(room.ranks, degree);
}

Neighbours of_distributed_graph(MPI_Comm comm) {
  int in = 0, out = 0, weighted = 0;
  if (PMPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted) != MPI_SUCCESS || in <= 0 || out < 0) return {};
  const Room sources(in), destinations(out);
  if (!sources.ranks || !destinations.ranks ||
      PMPI_Dist_graph_neighbors(comm, in, sources.ranks, sources.weights(), out, destinations.ranks,
                                destinations.weights()) != MPI_SUCCESS)
    return {};
  return keep(sources.ranks, in);
}

} // namespace

Neighbours sources_of(MPI_Comm comm) {
  int topology = MPI_UNDEFINED;
  if (PMPI_Topo_test(comm, &topology) != MPI_SUCCESS) return {};
  if (topology == MPI_CART) return of_grid(comm);
  if (topology == MPI_GRAPH) return of_graph(comm);
  return topology == MPI_DIST_GRAPH ? of_distributed_graph(comm) : Neighbours{};
}

} // namespace andes::monitor::mpi
