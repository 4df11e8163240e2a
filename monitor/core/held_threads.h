// HeldThreads: the other threads of the process stand still at their next probe, so that one thread may change
// the times of all: at the return of MPI_Init, at MPI_Pcontrol and at the end. At these moments, threads that
// the program made earlier, or that outlive the measured interval, may be doing anything.
//
// The fast path has no code for this. A location is held by two values that the fast path checks anyway: the
// stack's low bound, set beyond all addresses, and a bit in frames that asks for the slow path. On the slow
// path the thread waits.
//
// Invariants:
//  - before anything is changed, threads on the slow path (AtWork) are waited for; a thread on the fast path,
//    which cannot be seen, gets the time of one sleep: many times what its few instructions need;
//  - a thread that has lost its core in the middle of the fast path goes on later with values it has read before.
//    So its innermost visit may be counted in one interval and its time in another; no other visit is affected;
//  - every wait has a bound, and a process with one thread never waits (docs/decisions/0173).
#pragma once
#include "monitor/core/location.h"

namespace andes::monitor {

/// Holds all locations but the calling thread's, and process_lock, for the lifetime of this object. The
/// caller must not hold process_lock.
class HeldThreads {
public:
  HeldThreads();
  ~HeldThreads();
  HeldThreads(const HeldThreads&) = delete;
  HeldThreads& operator=(const HeldThreads&) = delete;
};

/// For fork(): waits until no thread is held, so that the child begins with none held.
void lock_held_threads();
void unlock_held_threads();
void reset_held_threads_in_child();

/// Returns when the location is not held any more.
void wait_while_held(Location& location);

/// The thread of `location` is on the slow path and changes its tree.
class AtWork {
public:
  explicit AtWork(Location& location) : location_(location), outermost_(!location.at_work) {
    set(true);
    if (__builtin_expect(__atomic_load_n(&location.held, __ATOMIC_RELAXED), 0) && outermost_) wait_while_held(location);
  }
  ~AtWork() {
    if (outermost_) set(false);
  }
  AtWork(const AtWork&) = delete;
  AtWork& operator=(const AtWork&) = delete;

private:
  // No barrier: the thread that holds others sleeps between asking and looking.
  void set(bool at_work) { __atomic_store_n(&location_.at_work, at_work, __ATOMIC_RELEASE); }

  Location& location_;
  bool outermost_;
};

} // namespace andes::monitor
