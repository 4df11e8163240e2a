// A measured visit of an MPI function, for the wrappers' accounting. Accounting happens after the visit is left, so
// that it is never counted as communication. The next reading of the clock waits for all loads before it, so the
// accounting of the usual calls is inline and stays in registers: a request costs 51 ns instead of 59.
//
// Invariants:
//  - a call that an MPI library makes itself (the innermost open frame is an MPI call) is neither
//    measured nor counted; a call from a user's callback with a probe is both;
//  - no call path leads directly from an MPI call to another, so the fast path of a probe never
//    enters such a call. Where the fast path did not enter, the wrappers check (inside), and so does
//    andes_enter_slow, which visit.cc defines for all wrappers in place of probe.h's;
//  - frames abandoned by a jump over them (they lie below the present stack) do not count as open, and neither does
//    an MPI call that was left in this way (decision 2).
#pragma once
#include <mpi.h>
#include <sched.h>

#include "monitor/entries/wrappers.h"

namespace andes::monitor::mpi {

struct Visit {
  andes_node* node = nullptr; // null: not measured
  andes_location_data* location = nullptr; // of the thread
  std::uint64_t enter_ticks = 0, ticks = 0; // of the clock; duration
  explicit operator bool() const { return node != nullptr; }
};

/// The wrappers' data of this thread; null: it is not attached.
inline andes_location_data* location_here() {
  return andes_here.location ? static_cast<andes_location_data*>(andes_here.location->data) : nullptr;
}
/// The same; taken from the visit if there is one.
inline andes_location_data* location_of(const Visit& visit) {
  return __builtin_expect(!!visit, 1) ? visit.location : location_here();
}

/// Whether the calling thread is inside an MPI call already.
inline bool inside(std::uintptr_t stack) {
  const andes_location* location = andes_here.location;
  return location && ANDES_KIND_IS_MPI(ANDES_NODE_AT(location, location->top->place)->kind) &&
         location->top->stack > stack - location->stack_low && !andes_call_is_left(stack);
}

/// Stack position of this thread's outermost MPI call without a visit; 0: there is none. The
/// program's MPI calls must be distinguished from those that MPI makes itself even while nothing is
/// measured, since messages are numbered then, too.
extern __thread std::uintptr_t unmeasured_call __attribute__((tls_model("initial-exec"), visibility("hidden")));

/// A call without a visit begins. True: the program makes it, not MPI.
inline bool unmeasured_begins(std::uintptr_t stack) {
  if (inside(stack) || stack < unmeasured_call) return false;
  unmeasured_call = stack;
  return true;
}

/// MPI_THREAD_MULTIPLE: calls of several threads at once. Set before MPI_Init returns.
extern bool threads;

/// Leaves the frame of an MPI call like andes_leave, but returns the data that the log needs.
Visit leave_slow(andes_frame* frame);

/// `location` is this thread's, read after andes_enter and before the call: at the end the clock would wait
/// for the load.
[[gnu::always_inline]] inline Visit leave_call(andes_frame* frame, andes_location* location) {
  if (__builtin_expect(!frame || location->top != frame || frame->bits != 0, 0)) {
    // Copied by its members: returned as a whole, the visit would lie in memory on the fast path, too.
    const Visit visit = leave_slow(frame);
    return {visit.node, visit.location, visit.enter_ticks, visit.ticks};
  }
  andes_node* node = ANDES_NODE_AT(location, frame->place);
  const std::uint64_t ticks = ANDES_TICKS() - frame->enter_ticks;
  node->inclusive_ticks += ticks;
  location->top = frame - 1;
  location->innermost = frame[-1].place;
  auto* data = static_cast<andes_location_data*>(location->data);
  data->library_ticks += ticks;
  return {node, data, frame->enter_ticks, ticks};
}

/// Leaves the frame of a local call, which is no communication.
[[gnu::always_inline]] inline void leave_local(andes_frame* frame) {
  if (__builtin_expect(!frame, 0)) unmeasured_call = 0;
  else andes_leave(frame);
}

inline andes_traffic* traffic(const Visit& visit) { return andes_traffic_of(visit.location, visit.node); }

/// Between MPI_Init and MPI_Finalize of a measured run, or while MPI sessions are open. Only between the first two
/// MPI_COMM_WORLD exists (sessions.h).
extern bool measuring;

/// Own rank and size of MPI_COMM_WORLD, or of the process set of all ranks, valid while measuring.
extern int own_rank, world_size;

/// A lock for the slow paths that share state; it costs nothing without MPI_THREAD_MULTIPLE.
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

} // namespace andes::monitor::mpi
