// HeldThreads: the other threads of the process stand still at their next probe, so that one thread may change
// the times of all: at the return of MPI_Init, at MPI_Pcontrol and at the end. Threads that the program made
// before, or that outlive the measured interval, are in the middle of anything then.
//
// The fast path knows nothing of this. A location is held by two things that it looks at anyway: a stack that
// begins beyond all addresses, and frames with a bit for the slow path. There its thread waits.
//
// Invariants:
//  - a thread on the slow path (AtWork) is waited for before anything is changed; one on the fast path, which
//    cannot be seen, gets as long as a sleep takes: many times what the few instructions need;
//  - a thread that has lost its core in the middle of the fast path goes on later with what it has read. So
//    its innermost visit may be counted in another interval than its time; no other visit is touched;
//  - nothing waits for ever, and a process with one thread never waits (docs/decisions/0173).
#pragma once
#include "monitor/core/location.h"

namespace andes {

/// Holds all locations but the calling thread's, for as long as it lives; takes process_lock for that time.
/// Not under it.
class HeldThreads {
public:
  HeldThreads();
  ~HeldThreads();
  HeldThreads(const HeldThreads&) = delete;
  HeldThreads& operator=(const HeldThreads&) = delete;
};

/// A fork waits for the end of it, and its child begins without.
void lock_holding();
void unlock_holding();
void part_holding();

/// Until the location is not held any more.
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
  // No barrier: who holds sleeps between asking for it and looking.
  void set(bool at_work) { __atomic_store_n(&location_.at_work, at_work, __ATOMIC_RELEASE); }

  Location& location_;
  bool outermost_;
};

} // namespace andes
