#include "monitor/life/fork.h"

#include "monitor/core/counting.h"
#include "monitor/core/held_threads.h"
#include "monitor/core/here.h"
#include "monitor/core/process.h"

namespace andes {

void before_fork() {
  here.held_for_fork = here.inside == 0;
  if (here.held_for_fork) {
    lock_holding();
    pthread_mutex_lock(&process_lock);
  }
  arena_hold(here.held_for_fork);
}

void after_fork_in_parent() {
  if (!here.held_for_fork) return;
  here.held_for_fork = false;
  arena_let_go();
  pthread_mutex_unlock(&process_lock);
  unlock_holding();
}

// A child that MPI or the end of its parent's run has nothing to do with: what it measures is nobody's. One
// of a process without them goes on as it did, in memory of its own: it may be the one that begins MPI.
void after_fork_in_child() {
  process_lock = PTHREAD_MUTEX_INITIALIZER;
  part_holding();
  here.held_for_fork = false;
  arena_part();
  for_each_location([](Location& location) {
    location.team.busy = 0;
    give_up_counting(location); // PAPI counts the parent
  });
  the_process.counters.count = 0;
  const bool goes_on = !the_process.mpi.present && !the_process.chosen;
  part_windows(the_process, goes_on);
  if (goes_on) return;
  the_process.state = State::finished;
  for_each_location([](Location& location) { close_to_probes(location); });
  here.location = nullptr;
  here.ended = true;
}

} // namespace andes
