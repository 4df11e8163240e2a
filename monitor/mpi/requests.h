// Requests whose completion or start must be counted: pending receives, and persistent requests.
// Requests of non-blocking sends and collectives are counted at the call and need no entry.
//
// Invariants:
//  - a program without such requests never takes the lock: `request_count` is read first;
//  - entries are a multiset: MPI may hand out a handle again before the call that completed it has
//    removed it here, and equal entries of receives are interchangeable;
//  - bounded: beyond `request_limit` entries, receives are not counted, and that is said once.
#pragma once
#include <mpi.h>

#include "monitor/mpi/bytes.h"

namespace andes::mpi {

enum class Kept : std::uint8_t {
  none,
  receive,
  persistent_receive,
  persistent_send,
  persistent_flow
};

struct Entry {
  MPI_Request request;
  Kept kept;
  int world = -1; // persistent_send: the destination
  Flow flow;      // persistent_send, persistent_flow: of each start
};

constexpr std::uint32_t request_limit = 1u << 20;
extern std::uint32_t request_count; // entries; written under the lock
extern bool any_cancelled;          // a request was cancelled at some time

void keep(const Entry& entry);
/// What is kept of a request; Kept::none without an entry.
Entry find_request(MPI_Request request);
void drop_request(MPI_Request request);
void forget_requests(); // at the end

inline bool requests_kept() { return __atomic_load_n(&request_count, __ATOMIC_RELAXED) != 0; }

inline void pending_receive(MPI_Request request, int source) {
  if (source != MPI_PROC_NULL) keep({request, Kept::receive, -1, {}});
}

inline void persistent_receive(MPI_Request request, int source) {
  if (source != MPI_PROC_NULL) keep({request, Kept::persistent_receive, -1, {}});
}

template <class Count>
void persistent_send(MPI_Request request, Count count, MPI_Datatype type, int dest, MPI_Comm comm) {
  if (dest != MPI_PROC_NULL)
    keep({request, Kept::persistent_send, world_rank(comm, dest), {bytes(count, type), 0}});
}

inline void persistent(MPI_Request request, const Flow& flow) {
  keep({request, Kept::persistent_flow, -1, flow});
}

inline void started(Visit visit, MPI_Request request) {
  if (!requests_kept()) return;
  Entry entry = find_request(request);
  if (entry.kept == Kept::persistent_send) message_sent(visit, entry.flow.sent, entry.world);
  if (entry.kept == Kept::persistent_flow) collective(visit, entry.flow);
}

inline void started_all(Visit visit, int count, const MPI_Request* requests) {
  for (int i = 0; i < count && requests_kept(); i++) started(visit, requests[i]);
}

inline void cancelled() { any_cancelled = true; }

} // namespace andes::mpi
