/* counter.h: what a run of MPI's own suite counts without andes: calls, messages and bytes as docs/metrics.md and
 * docs/mpi.md define them, in a preloaded library of PMPI wrappers that counter.py writes from mpi.h. It shares
 * nothing with the monitor but mpi.h, so that a mistake of one is not a mistake of both.
 *
 * Calls that MPI makes itself, and those of callbacks without a probe, are part of the program's call. Each
 * process writes its counts at MPI_Finalize into COUNTER_DIR. */
#ifndef ANDES_TESTS_MPI_SUITE_COUNTER_H
#define ANDES_TESTS_MPI_SUITE_COUNTER_H

#include <mpi.h>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <vector>

namespace counter {

using Bytes = long long;

struct Counts {
  Bytes calls = 0, messages_sent = 0, bytes_sent = 0, messages_received = 0, bytes_received = 0;
};

struct Request {
  enum What { send, receive, collective } what;
  Bytes sent, received;
  bool to_nobody, persistent, active;
};

/** Made at the first call, which may come from a library's constructor (Open MPI's C++ bindings); never destroyed. */
struct State {
  std::mutex mutex;
  std::map<const char *, Counts> counts;    // by the name's address: each wrapper has one
  std::map<MPI_Request, Request> requests;  // that are open and count something later
};
inline State &state() {
  static State &all = *new State;
  return all;
}

inline thread_local int depth = 0;
inline thread_local const char *current = nullptr;  // the outermost call of this thread

/** The outermost call of a thread counts. */
struct Call {
  bool outer;
  explicit Call(const char *name) : outer(depth++ == 0) {
    if (!outer) return;
    current = name;
    std::lock_guard lock(state().mutex);
    ++state().counts[name].calls;
  }
  ~Call() { --depth; }
};

inline void add(Counts more) {
  std::lock_guard lock(state().mutex);
  Counts &c = state().counts[current];
  c.messages_sent += more.messages_sent, c.bytes_sent += more.bytes_sent;
  c.messages_received += more.messages_received, c.bytes_received += more.bytes_received;
}

inline void write() {
  const char *directory = std::getenv("COUNTER_DIR");
  if (!directory) return;
  char path[4096];
  std::snprintf(path, sizeof path, "%s/%d", directory, getpid());
  std::FILE *file = std::fopen(path, "w");
  if (!file) return;
  std::lock_guard lock(state().mutex);
  for (const auto &[name, c] : state().counts)
    std::fprintf(file, "%s %lld %lld %lld %lld %lld\n", name, c.calls, c.messages_sent, c.bytes_sent, c.messages_received,
                 c.bytes_received);
  std::fclose(file);
}

// ---- sizes -------------------------------------------------------------------------------------

inline Bytes bytes(MPI_Count count, MPI_Datatype type) {
  if (count == 0 || type == MPI_DATATYPE_NULL) return 0;
  MPI_Count size = 0;
  PMPI_Type_size_x(type, &size);
  return Bytes(count) * size;
}

inline bool inter(MPI_Comm comm) {
  int flag = 0;
  PMPI_Comm_test_inter(comm, &flag);
  return flag;
}
inline int rank(MPI_Comm comm) {
  int r = 0;
  PMPI_Comm_rank(comm, &r);
  return r;
}
inline int local_size(MPI_Comm comm) {
  int n = 0;
  PMPI_Comm_size(comm, &n);
  return n;
}
inline int peers(MPI_Comm comm) {
  int n = 0;
  inter(comm) ? PMPI_Comm_remote_size(comm, &n) : PMPI_Comm_size(comm, &n);
  return n;
}
struct Degrees {
  int in = 0, out = 0;
};
inline Degrees degrees(MPI_Comm comm) {
  int kind = MPI_UNDEFINED, n = 0, weighted = 0;
  Degrees d;
  PMPI_Topo_test(comm, &kind);
  if (kind == MPI_CART) {
    PMPI_Cartdim_get(comm, &n);
    d = {2 * n, 2 * n};
  } else if (kind == MPI_GRAPH) {
    PMPI_Graph_neighbors_count(comm, rank(comm), &n);
    d = {n, n};
  } else if (kind == MPI_DIST_GRAPH) {
    PMPI_Dist_graph_neighbors_count(comm, &d.in, &d.out, &weighted);
  }
  return d;
}
template <class Numbers>
Bytes sum(const Numbers *numbers, int n) {
  Bytes all = 0;
  for (int i = 0; i < n; ++i) all += numbers[i];
  return all;
}
template <class Numbers>
Bytes sum(const Numbers *numbers, const MPI_Datatype *types, int n) {
  Bytes all = 0;
  for (int i = 0; i < n; ++i) all += bytes(numbers[i], types[i]);
  return all;
}

// ---- point-to-point ----------------------------------------------------------------------------

inline void sent(MPI_Count count, MPI_Datatype type, int dest) {
  if (dest != MPI_PROC_NULL) add({0, 1, bytes(count, type), 0, 0});
}

inline void received(const MPI_Status &status) {
  int cancelled = 0;
  MPI_Count size = 0;
  PMPI_Test_cancelled(&status, &cancelled);
  if (cancelled || status.MPI_SOURCE == MPI_PROC_NULL) return;
  PMPI_Get_elements_x(&status, MPI_BYTE, &size);
  add({0, 0, 0, 1, size > 0 ? Bytes(size) : 0});
}

inline void keep(MPI_Request request, Request what) {
  if (request == MPI_REQUEST_NULL) return;
  std::lock_guard lock(state().mutex);
  state().requests[request] = what;
}
// MPICH leaves the status of a receive from nobody as it is.
inline void keep_receive(MPI_Request request, bool persistent, int source = MPI_ANY_SOURCE) {
  if (source != MPI_PROC_NULL) keep(request, {Request::receive, 0, 0, false, persistent, !persistent});
}
inline void keep_send(MPI_Request request, Bytes size, int dest) {
  keep(request, {Request::send, size, 0, dest == MPI_PROC_NULL, true, false});
}
inline void drop(MPI_Request request) {
  std::lock_guard lock(state().mutex);
  state().requests.erase(request);
}

inline void started(MPI_Request request) {
  Request found;
  {
    std::lock_guard lock(state().mutex);
    auto at = state().requests.find(request);
    if (at == state().requests.end()) return;
    at->second.active = true;
    found = at->second;
  }
  if (found.what == Request::send && !found.to_nobody) add({0, 1, found.sent, 0, 0});
  if (found.what == Request::collective) add({0, 0, found.sent, 0, found.received});
}

/** `request` is what the program had before the call that has completed it. */
inline void completed(MPI_Request request, const MPI_Status &status) {
  bool counts_now;
  {
    std::lock_guard lock(state().mutex);
    auto at = state().requests.find(request);
    if (at == state().requests.end()) return;
    counts_now = at->second.what == Request::receive && at->second.active;
    at->second.active = false;
    if (!at->second.persistent) state().requests.erase(at);
  }
  if (counts_now) received(status);
}

/** The requests and statuses of a call that completes some: the program's own, and copies of what the call changes. */
struct Completion {
  std::vector<MPI_Request> before;
  std::vector<MPI_Status> own;
  MPI_Status *statuses;
  Completion(int n, const MPI_Request *r, MPI_Status *s, int n_statuses)
      : before(r, r + (n > 0 ? n : 0)), own(n_statuses > 0 ? n_statuses : 1),
        statuses(s == MPI_STATUSES_IGNORE || s == MPI_STATUS_IGNORE ? own.data() : s) {}
  void done(int at, int with, int result) {
    if (result == MPI_SUCCESS || (result == MPI_ERR_IN_STATUS && statuses[with].MPI_ERROR == MPI_SUCCESS))
      completed(before[at], statuses[with]);
  }
};

inline bool in_status(int result) {
  int kind = MPI_SUCCESS;
  if (result != MPI_SUCCESS) PMPI_Error_class(result, &kind);
  return kind == MPI_ERR_IN_STATUS;
}

// ---- collectives: bytes handed in and got out ----------------------------------------------------

struct Moved {
  Bytes sent = 0, received = 0;
};
/** At a root, where data come from or go to one. */
enum class Role { root, member, none };
inline Role role(int root, MPI_Comm comm) {
  if (inter(comm)) return root == MPI_ROOT ? Role::root : root == MPI_PROC_NULL ? Role::none : Role::member;
  return root == rank(comm) ? Role::root : Role::member;
}

template <class N>
Moved bcast(const void *, N count, MPI_Datatype type, int root, MPI_Comm comm) {
  Role r = role(root, comm);
  return {r == Role::root ? bytes(count, type) : 0, r == Role::member ? bytes(count, type) : 0};
}
template <class N>
Moved gather(const void *s, N sc, MPI_Datatype st, void *, N rc, MPI_Datatype rt, int root, MPI_Comm comm) {
  Role r = role(root, comm);
  Moved m;
  if (r == Role::root) m.received = peers(comm) * bytes(rc, rt);
  if (r == Role::member || (r == Role::root && !inter(comm))) m.sent = s == MPI_IN_PLACE ? bytes(rc, rt) : bytes(sc, st);
  return m;
}
template <class N, class D>
Moved gatherv(const void *s, N sc, MPI_Datatype st, void *, const N *rc, const D *, MPI_Datatype rt, int root,
              MPI_Comm comm) {
  Role r = role(root, comm);
  Moved m;
  if (r == Role::root) m.received = bytes(sum(rc, peers(comm)), rt);
  if (r == Role::member || (r == Role::root && !inter(comm)))
    m.sent = s == MPI_IN_PLACE ? bytes(rc[rank(comm)], rt) : bytes(sc, st);
  return m;
}
template <class N>
Moved scatter(const void *, N sc, MPI_Datatype st, void *b, N rc, MPI_Datatype rt, int root, MPI_Comm comm) {
  Role r = role(root, comm);
  Moved m;
  if (r == Role::root) m.sent = peers(comm) * bytes(sc, st);
  if (r == Role::member || (r == Role::root && !inter(comm))) m.received = b == MPI_IN_PLACE ? bytes(sc, st) : bytes(rc, rt);
  return m;
}
template <class N, class D>
Moved scatterv(const void *, const N *sc, const D *, MPI_Datatype st, void *b, N rc, MPI_Datatype rt, int root,
               MPI_Comm comm) {
  Role r = role(root, comm);
  Moved m;
  if (r == Role::root) m.sent = bytes(sum(sc, peers(comm)), st);
  if (r == Role::member || (r == Role::root && !inter(comm)))
    m.received = b == MPI_IN_PLACE ? bytes(sc[rank(comm)], st) : bytes(rc, rt);
  return m;
}
template <class N>
Moved allgather(const void *s, N sc, MPI_Datatype st, void *, N rc, MPI_Datatype rt, MPI_Comm comm) {
  return {s == MPI_IN_PLACE ? bytes(rc, rt) : bytes(sc, st), peers(comm) * bytes(rc, rt)};
}
template <class N, class D>
Moved allgatherv(const void *s, N sc, MPI_Datatype st, void *, const N *rc, const D *, MPI_Datatype rt, MPI_Comm comm) {
  return {s == MPI_IN_PLACE ? bytes(rc[rank(comm)], rt) : bytes(sc, st), bytes(sum(rc, peers(comm)), rt)};
}
template <class N>
Moved alltoall(const void *s, N sc, MPI_Datatype st, void *, N rc, MPI_Datatype rt, MPI_Comm comm) {
  Bytes in = peers(comm) * bytes(rc, rt);
  return {s == MPI_IN_PLACE ? in : peers(comm) * bytes(sc, st), in};
}
template <class N, class D>
Moved alltoallv(const void *s, const N *sc, const D *, MPI_Datatype st, void *, const N *rc, const D *, MPI_Datatype rt,
                MPI_Comm comm) {
  Bytes in = bytes(sum(rc, peers(comm)), rt);
  return {s == MPI_IN_PLACE ? in : bytes(sum(sc, peers(comm)), st), in};
}
template <class N, class D>
Moved alltoallw(const void *s, const N *sc, const D *, const MPI_Datatype *st, void *, const N *rc, const D *,
                const MPI_Datatype *rt, MPI_Comm comm) {
  Bytes in = sum(rc, rt, peers(comm));
  return {s == MPI_IN_PLACE ? in : sum(sc, st, peers(comm)), in};
}
template <class N>
Moved reduce(const void *, void *, N count, MPI_Datatype type, MPI_Op, int root, MPI_Comm comm) {
  Role r = role(root, comm);
  Bytes n = bytes(count, type);
  return {r == Role::member || (r == Role::root && !inter(comm)) ? n : 0, r == Role::root ? n : 0};
}
template <class N>
Moved allreduce(const void *, void *, N count, MPI_Datatype type, MPI_Op, MPI_Comm) {
  return {bytes(count, type), bytes(count, type)};
}
template <class N>
Moved scan(const void *, void *, N count, MPI_Datatype type, MPI_Op, MPI_Comm) {
  return {bytes(count, type), bytes(count, type)};
}
template <class N>
Moved exscan(const void *, void *, N count, MPI_Datatype type, MPI_Op, MPI_Comm comm) {
  return {bytes(count, type), rank(comm) == 0 ? 0 : bytes(count, type)};
}
template <class N>
Moved reduce_scatter(const void *, void *, const N *rc, MPI_Datatype type, MPI_Op, MPI_Comm comm) {
  return {bytes(sum(rc, local_size(comm)), type), bytes(rc[rank(comm)], type)};
}
template <class N>
Moved reduce_scatter_block(const void *, void *, N rc, MPI_Datatype type, MPI_Op, MPI_Comm comm) {
  return {local_size(comm) * bytes(rc, type), bytes(rc, type)};
}
template <class N>
Moved neighbor_allgather(const void *, N sc, MPI_Datatype st, void *, N rc, MPI_Datatype rt, MPI_Comm comm) {
  return {bytes(sc, st), degrees(comm).in * bytes(rc, rt)};
}
template <class N, class D>
Moved neighbor_allgatherv(const void *, N sc, MPI_Datatype st, void *, const N *rc, const D *, MPI_Datatype rt,
                          MPI_Comm comm) {
  return {bytes(sc, st), bytes(sum(rc, degrees(comm).in), rt)};
}
template <class N>
Moved neighbor_alltoall(const void *, N sc, MPI_Datatype st, void *, N rc, MPI_Datatype rt, MPI_Comm comm) {
  return {degrees(comm).out * bytes(sc, st), degrees(comm).in * bytes(rc, rt)};
}
template <class N, class D>
Moved neighbor_alltoallv(const void *, const N *sc, const D *, MPI_Datatype st, void *, const N *rc, const D *,
                         MPI_Datatype rt, MPI_Comm comm) {
  return {bytes(sum(sc, degrees(comm).out), st), bytes(sum(rc, degrees(comm).in), rt)};
}
template <class N, class D>
Moved neighbor_alltoallw(const void *, const N *sc, const D *, const MPI_Datatype *st, void *, const N *rc, const D *,
                         const MPI_Datatype *rt, MPI_Comm comm) {
  return {sum(sc, st, degrees(comm).out), sum(rc, rt, degrees(comm).in)};
}

inline void moved(Moved m) { add({0, 0, m.sent, 0, m.received}); }
inline void keep_collective(MPI_Request request, Moved m) {
  keep(request, {Request::collective, m.sent, m.received, false, true, false});
}

/** One-sided: nothing for nobody. */
inline void moved_with(int target, Moved m) {
  if (target != MPI_PROC_NULL) moved(m);
}

}  // namespace counter

#endif
