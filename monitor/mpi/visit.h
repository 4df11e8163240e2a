// A measured visit of an MPI function, as the wrappers' accounting sees it. Accounting happens
// after the visit is left, so that it is never counted as communication.
//
// Invariants:
//  - a call that an MPI library makes itself (the innermost open frame is an MPI call) is neither
//    measured nor counted; one from a user's callback that has a probe is both;
//  - no call path leads from an MPI call straight to another, so what the fast path of a probe enters
//    is never such a call: the wrappers ask (inside) where it did not enter, and so does
//    andes_enter_slow, which visit.cc defines for all wrappers in place of probe.h's;
//  - frames abandoned by a jump over them (they lie below the present stack) do not count as open.
#pragma once
#include <mpi.h>
#include <sched.h>

#include "monitor/core/monitor.h"

namespace andes::mpi {

struct Visit {
  andes_node* node = nullptr; // null: not measured
  explicit operator bool() const { return node != nullptr; }
};

/// The visit that andes_enter opened and andes_leave will close; its pointer may be tagged in its
/// lowest bit.
inline Visit visit_of(andes_frame* frame) {
  if (!frame) return {};
  auto* untagged = reinterpret_cast<andes_frame*>(reinterpret_cast<std::uintptr_t>(frame) & ~1ul);
  return {ANDES_NODE_AT(andes_here.location, untagged->place)};
}

/// What the wrappers keep of this thread; there is a visit, so it is attached.
inline andes_location_data* location_here() {
  return static_cast<andes_location_data*>(andes_here.location->data);
}

/// Whether the calling thread is inside an MPI call already.
inline bool inside(std::uintptr_t stack) {
  const andes_location* location = andes_here.location;
  return location && ANDES_KIND_IS_MPI(ANDES_NODE_AT(location, location->top->place)->kind) &&
         location->top->stack > stack - location->stack_low;
}

inline andes_traffic* traffic(Visit visit) {
  return andes_traffic_of(location_here(), visit.node);
}

/// Between MPI_Init and MPI_Finalize of a measured run: only then is there a world to name ranks of
/// (programs may use MPI sessions alone).
extern bool measuring;

/// Of MPI_COMM_WORLD, while measuring.
extern int own_rank, world_size;

/// MPI_THREAD_MULTIPLE: calls of several threads at once. Set before MPI_Init returns.
extern bool threads;

/// A lock for the slow paths that share state; free of cost where threads cannot meet.
class Guard {
public:
  explicit Guard(unsigned char& lock) : lock_(threads ? &lock : nullptr) {
    for (int turn = 1; lock_ && __atomic_test_and_set(lock_, __ATOMIC_ACQUIRE); turn++)
      if (turn % 64 == 0) sched_yield(); // its holder may have lost the core
  }
  ~Guard() {
    if (lock_) __atomic_clear(lock_, __ATOMIC_RELEASE);
  }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

private:
  unsigned char* lock_;
};

} // namespace andes::mpi
