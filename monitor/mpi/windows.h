// Windows and their epochs, as the log needs them: fences as collectives of the window; between post
// and wait, start and complete one operation for each pair of origin and target; between lock and
// unlock one for each target. A window is identified by its communicator and the number of windows
// made on it before; all its ranks agree on both.
//
// Invariants:
//  - all records of an epoch have the number that its first call took;
//  - in the log MPI_Win_lock_all is one epoch of all targets, and one more of each target that is accessed, from the
//    first access on;
//  - of the accesses and flushes of a lock epoch the first of each is logged: one of them may be the
//    call that waits for the lock. Those that last long have a record of their own besides: each may
//    wait for the target. A flush of all targets has one of each that was accessed since its last flush, of
//    some at a time where there are many.
#pragma once
#include "monitor/mpi/bytes.h"
#include "monitor/mpi/polled.h"

namespace andes::monitor::mpi {

void window_made(const Visit& visit, MPI_Comm comm, MPI_Win win);

struct Window;

/// MPI_Win_free: the window is forgotten before the call, since MPI may reuse the handle right after it.
class FreeWindow {
public:
  explicit FreeWindow(const MPI_Win* win) : window_(win && measuring && events ? withdraw(*win) : nullptr) {}
  void done(const Visit& visit, int result) {
    if (window_) result == MPI_SUCCESS ? freed(visit, window_) : put_back(window_);
  }

private:
  static Window* withdraw(MPI_Win win);
  static void put_back(Window* window);
  static void freed(const Visit& visit, Window* window);
  Window* window_;
};

void fence(const Visit& visit, MPI_Win win);

void access_begins(const Visit& visit, MPI_Group targets, MPI_Win win); // MPI_Win_start
void access_ends(const Visit& visit, MPI_Win win); // MPI_Win_complete
void exposure_begins(const Visit& visit, MPI_Group origins, MPI_Win win); // MPI_Win_post
void exposure_ends(const Visit& visit, MPI_Win win); // MPI_Win_wait, successful MPI_Win_test

/// MPI_Win_test.
class ExposureTest {
public:
  ExposureTest(MPI_Win win, const int* flag) : win_(win), flag_(flag) {}
  bool missed() const { return !*flag_; }
  bool found() const { return *flag_; }
  void ask(Polled& polled) const { polled.add_exposure(win_); }
  void done(const Visit& visit, int result) {
    if (result == MPI_SUCCESS) exposure_ends(visit, win_);
  }

private:
  MPI_Win win_;
  const int* flag_;
};

void locked(const Visit& visit, int lock_type, int target, MPI_Win win);
void locked_all(const Visit& visit, MPI_Win win);
void unlocked(const Visit& visit, int target, MPI_Win win);
void unlocked_all(const Visit& visit, MPI_Win win);

enum class Within : std::uint8_t { access, flush, local_flush };
void within_lock(const Visit& visit, int target, MPI_Win win, Within what);
void flushed_all(const Visit& visit, MPI_Win win, Within what = Within::flush);

void log_access(const Visit& visit, int target, MPI_Win win, Bytes bytes);
void synchronised(const Visit& visit, MPI_Win win); // MPI_Win_sync

/// A one-sided operation: has a part in an epoch below MPI_Win_lock only, where it may be the first.
extern bool any_locks; // a window was locked at some time
inline bool locks_met() { return __atomic_load_n(&any_locks, __ATOMIC_RELAXED); }
inline void accessed(const Visit& visit, int target, MPI_Win win, Bytes out, Bytes in) {
  if (visit) one_sided(visit, target, out, in);
  if (is_wanted(one_sided_calls)) log_access(visit, target, win, out + in);
  if (locks_met() && target != MPI_PROC_NULL) within_lock(visit, target, win, Within::access);
}
inline void flushed(const Visit& visit, int target, MPI_Win win) {
  if (locks_met()) within_lock(visit, target, win, Within::flush);
}
inline void flushed_locally(const Visit& visit, int target, MPI_Win win) {
  if (locks_met()) within_lock(visit, target, win, Within::local_flush);
}
inline void flushed_all_locally(const Visit& visit, MPI_Win win) { flushed_all(visit, win, Within::local_flush); }

void forget_windows(); // at the end

} // namespace andes::monitor::mpi
