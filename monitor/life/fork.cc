#include "monitor/life/fork.h"

#include "monitor/core/calibrate.h"
#include "monitor/core/counting.h"
#include "monitor/core/held_threads.h"
#include "monitor/core/process.h"
#include "monitor/core/this_thread.h"
#include "monitor/life/threads.h"

namespace andes::monitor {

void before_fork() {
  this_thread.held_for_fork = this_thread.inside == 0;
  if (this_thread.held_for_fork) {
    lock_held_threads();
    pthread_mutex_lock(&process_lock);
  }
  arena_lock_for_fork(this_thread.held_for_fork);
}

void after_fork_in_parent() {
  if (!this_thread.held_for_fork) return;
  this_thread.held_for_fork = false;
  arena_unlock_after_fork();
  pthread_mutex_unlock(&process_lock);
  unlock_held_threads();
}

// A child of a process that uses MPI, or that writes a run at its end (`chosen`), is not measured: its data
// belongs to no run. The child of any other process goes on being measured, in memory of its own: it may be
// the process that begins MPI.
void after_fork_in_child() {
  process_lock = PTHREAD_MUTEX_INITIALIZER;
  reset_held_threads_in_child();
  this_thread.held_for_fork = false;
  arena_detach_in_child();
  for_each_location([](Location& location) {
    location.team.busy = 0;
    give_up_counting(location); // PAPI's counters are those of the parent
  });
  the_process.counters.count = 0;
  const bool goes_on = !the_process.mpi.present && !the_process.chosen;
  reset_calibration_in_child(the_process);
  reset_windows_in_child(the_process, goes_on);
  if (goes_on) {
    if (this_thread.location) take_over(*this_thread.location);
    return;
  }
  the_process.state = State::finished;
  for_each_location([](Location& location) { close_to_probes(location); });
  this_thread.location = nullptr;
  this_thread.ended = true;
}

} // namespace andes::monitor
