// Bytes and messages of a call: data that the rank hands to MPI (sent) and gets from it (received),
// including its own part of a collective (docs/mpi.md has the table). Called after the visit has been
// left; the arguments are the user's, the call has succeeded.
//
// Invariants: MPI_PROC_NULL and buffers that are not significant count nothing; MPI_IN_PLACE takes
// its count and type from the other argument; counts may be int or MPI_Count.
#pragma once
#include "monitor/mpi/events.h"
#include "monitor/mpi/size_class.h"
#include "monitor/mpi/status.h"
#include "monitor/mpi/visit.h"

namespace andes::monitor::mpi {

using Bytes = std::uint64_t;

struct Flow {
  Bytes sent = 0, received = 0;
};

inline Bytes type_size(MPI_Datatype type) {
  if (type == MPI_DOUBLE) return sizeof(double);
  if (type == MPI_INT || type == MPI_FLOAT) return 4;
  if (type == MPI_BYTE || type == MPI_CHAR) return 1;
#if MPI_VERSION >= 3
  MPI_Count size = 0;
  if (PMPI_Type_size_x(type, &size) != MPI_SUCCESS || size < 0) return 0;
#else
  int size = 0;
  if (PMPI_Type_size(type, &size) != MPI_SUCCESS || size < 0) return 0;
#endif
  return static_cast<Bytes>(size);
}

template <class Count> Bytes bytes(Count count, MPI_Datatype type) {
  return count > 0 ? static_cast<Bytes>(count) * type_size(type) : 0;
}

/// A message to rank `dest` of `comm`: columns of the call path, and the communication matrix.
inline void message_sent(const Visit& visit, Bytes amount, int world) {
  andes_traffic* columns = traffic(visit);
  columns->bytes_sent += amount;
  columns->messages_sent++;
  columns->sizes[class_of(amount)]++;
  andes_location_data* location = visit.location;
  if (world < 0) return;
  if (__builtin_expect(!location->peers, 0) && !andes_peers_new(location)) return;
  if (static_cast<std::uint32_t>(world) >= location->ranks) return;
  location->peers[world].messages++;
  location->peers[world].bytes += amount;
}

/// A send: its columns and its record.
template <class Count>
[[gnu::always_inline]] inline Place sent_to(const Visit& visit, Count count, MPI_Datatype type, int dest, int tag,
                                            MPI_Comm comm, unsigned flags) {
  const Comm* known = comm_of(comm);
  const int world = world_rank(known, dest);
  const Bytes amount = visit ? bytes(count, type) : 0;
  if (visit) message_sent(visit, amount, world);
  return log_send(visit, known, world, tag, flags, amount);
}

template <class Count>
[[gnu::always_inline]] inline void sent(const Visit& visit, Count count, MPI_Datatype type, int dest, int tag,
                                        MPI_Comm comm, unsigned flags = 0) {
  if (measuring && dest != MPI_PROC_NULL) sent_to(visit, count, type, dest, tag, comm, flags);
}

/// Counts a message that arrived, by its status. Returns its bytes; negative if the library does not know them.
/// `also_sends`: the call's sizes are those of what it sends.
inline std::int64_t arrived(const Visit& visit, const MPI_Status* status, bool also_sends = false) {
  if (status->MPI_SOURCE == MPI_PROC_NULL) return 0;
  const std::int64_t amount = arrived_bytes(status);
  if (amount < 0) return amount;
  andes_traffic* columns = traffic(visit);
  columns->bytes_received += static_cast<Bytes>(amount);
  columns->messages_received++;
  if (!also_sends) columns->sizes[class_of(static_cast<Bytes>(amount))]++;
  return amount;
}

/// The same of a call that is no message.
inline void moved(const Visit& visit, Bytes out, Bytes in) {
  if ((out | in) != 0) andes_add_moved(*traffic(visit), out, in);
}

inline void one_sided(const Visit& visit, int target, Bytes out, Bytes in) {
  if (target != MPI_PROC_NULL) moved(visit, out, in);
}

/// The root of collectives that have none.
constexpr int no_root = INT32_MIN;

/// Counts the bytes of a collective and logs its record at the next place of `channel`.
[[gnu::always_inline]] inline Place collective_at(const Visit& visit, std::uint32_t channel, EventKind kind,
                                                  bool is_root, const Flow& flow, unsigned flags) {
  if (visit) moved(visit, flow.sent, flow.received);
  if (channel == 0) return {};
  if (is_root) flags |= event_root;
  if (kind != EventKind::barrier && flow.sent + flow.received == 0) flags |= event_empty;
  return log_next(visit, channel, kind, flags, flow.sent + flow.received);
}

inline bool is_root_of(const Comm* comm, int root) {
  return comm && root != no_root && (comm->inter ? root == MPI_ROOT : root == comm->rank);
}

[[gnu::always_inline]] inline void collective(const Visit& visit, EventKind kind, int root, MPI_Comm comm,
                                              const Flow& flow) {
  if (!measuring) return;
  Comm* known = comm_of(comm);
  const Place place = collective_at(visit, collectives_of(known), kind, is_root_of(known, root), flow, 0);
  log_root(visit, known, root, place);
}

/// Facts about a collective's communicator. `ranks`: the number of ranks that it exchanges data with.
struct Group {
  int rank = 0, size = 0, ranks = 0;
  bool inter = false;
  explicit Group(MPI_Comm comm) {
    if (comm == MPI_COMM_WORLD || comm == MPI_COMM_SELF) {
      const bool all = comm == MPI_COMM_WORLD;
      rank = all ? own_rank : 0;
      ranks = size = all ? world_size : 1;
      return;
    }
    int flag = 0;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    ranks = size;
    PMPI_Comm_test_inter(comm, &flag);
    inter = flag;
    if (inter) PMPI_Comm_remote_size(comm, &ranks);
  }
  /// In an inter-communicator the root names itself MPI_ROOT and its group MPI_PROC_NULL.
  bool is_root(int root) const { return inter ? root == MPI_ROOT : root == rank; }
  bool is_leaf(int root) const { return inter ? root >= 0 : root != rank; }
};

template <class Count> Bytes sum(const Count* counts, int n) {
  Bytes total = 0;
  for (int i = 0; i < n; i++)
    if (counts[i] > 0) total += static_cast<Bytes>(counts[i]);
  return total;
}

template <class Count> Bytes sum(const Count* counts, const MPI_Datatype* types, int n) {
  Bytes total = 0;
  for (int i = 0; i < n; i++)
    if (counts[i] > 0) total += static_cast<Bytes>(counts[i]) * type_size(types[i]);
  return total;
}

template <class Count> Flow both(Count count, MPI_Datatype type) {
  Bytes amount = bytes(count, type);
  return {amount, amount};
}

template <class Count> Flow bcast(Count count, MPI_Datatype type, int root, MPI_Comm comm) {
  Group group(comm);
  Bytes amount = bytes(count, type);
  if (group.is_root(root)) return {amount, 0};
  return {0, group.is_leaf(root) ? amount : 0};
}

template <class Count>
Flow gather(const void* sendbuf, Count sendcount, MPI_Datatype sendtype, Count recvcount, MPI_Datatype recvtype,
            int root, MPI_Comm comm) {
  Group group(comm);
  Flow flow;
  if (group.is_root(root)) {
    Bytes part = bytes(recvcount, recvtype);
    flow.received = part * static_cast<Bytes>(group.ranks);
    if (!group.inter) flow.sent = sendbuf == MPI_IN_PLACE ? part : bytes(sendcount, sendtype);
  } else if (group.is_leaf(root)) {
    flow.sent = bytes(sendcount, sendtype);
  }
  return flow;
}

template <class Count>
Flow gatherv(const void* sendbuf, Count sendcount, MPI_Datatype sendtype, const Count* recvcounts,
             MPI_Datatype recvtype, int root, MPI_Comm comm) {
  Group group(comm);
  Flow flow;
  if (group.is_root(root)) {
    flow.received = bytes(sum(recvcounts, group.ranks), recvtype);
    if (!group.inter)
      flow.sent = sendbuf == MPI_IN_PLACE ? bytes(recvcounts[group.rank], recvtype) : bytes(sendcount, sendtype);
  } else if (group.is_leaf(root)) {
    flow.sent = bytes(sendcount, sendtype);
  }
  return flow;
}

template <class Count>
Flow scatter(Count sendcount, MPI_Datatype sendtype, const void* recvbuf, Count recvcount, MPI_Datatype recvtype,
             int root, MPI_Comm comm) {
  Group group(comm);
  Flow flow;
  if (group.is_root(root)) {
    Bytes part = bytes(sendcount, sendtype);
    flow.sent = part * static_cast<Bytes>(group.ranks);
    if (!group.inter) flow.received = recvbuf == MPI_IN_PLACE ? part : bytes(recvcount, recvtype);
  } else if (group.is_leaf(root)) {
    flow.received = bytes(recvcount, recvtype);
  }
  return flow;
}

template <class Count>
Flow scatterv(const Count* sendcounts, MPI_Datatype sendtype, const void* recvbuf, Count recvcount,
              MPI_Datatype recvtype, int root, MPI_Comm comm) {
  Group group(comm);
  Flow flow;
  if (group.is_root(root)) {
    flow.sent = bytes(sum(sendcounts, group.ranks), sendtype);
    if (!group.inter)
      flow.received = recvbuf == MPI_IN_PLACE ? bytes(sendcounts[group.rank], sendtype) : bytes(recvcount, recvtype);
  } else if (group.is_leaf(root)) {
    flow.received = bytes(recvcount, recvtype);
  }
  return flow;
}

template <class Count>
Flow allgather(const void* sendbuf, Count sendcount, MPI_Datatype sendtype, Count recvcount, MPI_Datatype recvtype,
               MPI_Comm comm) {
  Bytes part = bytes(recvcount, recvtype);
  return {sendbuf == MPI_IN_PLACE ? part : bytes(sendcount, sendtype), part * static_cast<Bytes>(Group(comm).ranks)};
}

template <class Count>
Flow allgatherv(const void* sendbuf, Count sendcount, MPI_Datatype sendtype, const Count* recvcounts,
                MPI_Datatype recvtype, MPI_Comm comm) {
  Group group(comm);
  return {sendbuf == MPI_IN_PLACE ? bytes(recvcounts[group.rank], recvtype) : bytes(sendcount, sendtype),
          bytes(sum(recvcounts, group.ranks), recvtype)};
}

template <class Count>
Flow alltoall(const void* sendbuf, Count sendcount, MPI_Datatype sendtype, Count recvcount, MPI_Datatype recvtype,
              MPI_Comm comm) {
  auto ranks = static_cast<Bytes>(Group(comm).ranks);
  Bytes in = bytes(recvcount, recvtype) * ranks;
  return {sendbuf == MPI_IN_PLACE ? in : bytes(sendcount, sendtype) * ranks, in};
}

template <class Count>
Flow alltoallv(const void* sendbuf, const Count* sendcounts, MPI_Datatype sendtype, const Count* recvcounts,
               MPI_Datatype recvtype, MPI_Comm comm) {
  int ranks = Group(comm).ranks;
  Bytes in = bytes(sum(recvcounts, ranks), recvtype);
  return {sendbuf == MPI_IN_PLACE ? in : bytes(sum(sendcounts, ranks), sendtype), in};
}

template <class Count>
Flow alltoallw(const void* sendbuf, const Count* sendcounts, const MPI_Datatype* sendtypes, const Count* recvcounts,
               const MPI_Datatype* recvtypes, MPI_Comm comm) {
  int ranks = Group(comm).ranks;
  Bytes in = sum(recvcounts, recvtypes, ranks);
  return {sendbuf == MPI_IN_PLACE ? in : sum(sendcounts, sendtypes, ranks), in};
}

template <class Count> Flow reduce(Count count, MPI_Datatype type, int root, MPI_Comm comm) {
  Group group(comm);
  Bytes amount = bytes(count, type);
  if (group.is_root(root)) return {group.inter ? 0 : amount, amount};
  return {group.is_leaf(root) ? amount : 0, 0};
}

template <class Count>
Flow reduce_scatter(const Count* recvcounts, MPI_Datatype type, MPI_Comm comm) {
  Group group(comm); // the counts are those of the own group, in an inter-communicator too
  return {bytes(sum(recvcounts, group.size), type), bytes(recvcounts[group.rank], type)};
}

template <class Count>
Flow reduce_scatter_block(Count recvcount, MPI_Datatype type, MPI_Comm comm) {
  Bytes part = bytes(recvcount, type);
  return {part * static_cast<Bytes>(Group(comm).size), part};
}

template <class Count> Flow exscan(Count count, MPI_Datatype type, MPI_Comm comm) {
  Bytes amount = bytes(count, type);
  return {amount, Group(comm).rank == 0 ? 0 : amount};
}

/// Neighbours from and to which a neighbourhood collective moves data.
struct Degree {
  int in = 0, out = 0;
  explicit Degree(MPI_Comm comm) {
    int topology = MPI_UNDEFINED, rank = 0, weighted = 0;
    PMPI_Topo_test(comm, &topology);
    if (topology == MPI_CART) {
      PMPI_Cartdim_get(comm, &in);
      out = in *= 2;
    } else if (topology == MPI_GRAPH) {
      PMPI_Comm_rank(comm, &rank);
      PMPI_Graph_neighbors_count(comm, rank, &in);
      out = in;
    } else if (topology == MPI_DIST_GRAPH) {
      PMPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
    }
  }
};

template <class Count>
Flow neighbor_allgather(Count sendcount, MPI_Datatype sendtype, Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  return {bytes(sendcount, sendtype), bytes(recvcount, recvtype) * static_cast<Bytes>(Degree(comm).in)};
}

template <class Count>
Flow neighbor_allgatherv(Count sendcount, MPI_Datatype sendtype, const Count* recvcounts, MPI_Datatype recvtype,
                         MPI_Comm comm) {
  return {bytes(sendcount, sendtype), bytes(sum(recvcounts, Degree(comm).in), recvtype)};
}

template <class Count>
Flow neighbor_alltoall(Count sendcount, MPI_Datatype sendtype, Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  Degree degree(comm);
  return {bytes(sendcount, sendtype) * static_cast<Bytes>(degree.out),
          bytes(recvcount, recvtype) * static_cast<Bytes>(degree.in)};
}

template <class Count>
Flow neighbor_alltoallv(const Count* sendcounts, MPI_Datatype sendtype, const Count* recvcounts, MPI_Datatype recvtype,
                        MPI_Comm comm) {
  Degree degree(comm);
  return {bytes(sum(sendcounts, degree.out), sendtype), bytes(sum(recvcounts, degree.in), recvtype)};
}

template <class Count>
Flow neighbor_alltoallw(const Count* sendcounts, const MPI_Datatype* sendtypes, const Count* recvcounts,
                        const MPI_Datatype* recvtypes, MPI_Comm comm) {
  Degree degree(comm);
  return {sum(sendcounts, sendtypes, degree.out), sum(recvcounts, recvtypes, degree.in)};
}

} // namespace andes::monitor::mpi
