// Team: parallel regions of OpenMP in the call trees of their threads. The runtime's events (gomp.cc, ompt.cc)
// become visits: of the thread that opens a region (fork, join), of the other members of its team (enter, leave),
// and of threads that wait.
//
// A member's visits hang below a copy, in its own tree, of the call path that opened the region: the chain of
// regions from "(program)" down, made when the member is in the region for the first time and found again by a
// cache. Its part is one visit of the region's node, opened far below the root (ANDES_FRAME_FAR); the call paths
// between get its time but no visits.
//
// Invariants: nothing here communicates or waits for another thread; events for which there is no room count
// for the thread's current call path; all functions run under ReentryGuard and call nothing of the program.
#pragma once
#include "monitor/core/process.h"
#include "monitor/life/learned_code.h"
#include "monitor/sites/addresses.h"

namespace andes::monitor {

/// This thread's location; attaches the thread if the process may be measured. Null: nothing is measured.
Location* team_thread();

/// Notes that the runtime has opened a region. Threads may call this at the same time for two runtimes.
inline void note_runtime(Process& process, OpenMp runtime) {
  if (!(__atomic_load_n(&process.openmp, __ATOMIC_RELAXED) & runtime))
    __atomic_fetch_or(&process.openmp, runtime, __ATOMIC_RELAXED);
}

/// A region is opened; address 0: its code is not known. Opens its visit unless a probe has done so. Null: no room, or
/// switched off.
Fork* fork_team(Process& process, Location& location, ConstructCode code);
/// The whole team has finished. Regions inside it that were never joined are forgotten.
void join_team(Process& process, Location& location, Fork& fork);

/// A member begins its part; a member has finished its part.
void enter_team(Process& process, Location& location, const Fork& fork);
void leave_team(Process& process, Location& location);

/// Opens the visit of a wait, as if the call were inlined into the innermost visit; close_visit() ends it.
/// Null: not measured.
andes_frame* open_wait(Process& process, Location& location, andes_site* site);

/// A task begins in this thread: opens its visit. Null: the task has a probe of its own, or is not measured.
andes_frame* open_task(Process& process, Location& location, AddressSite& task);
void close_task(Process& process, Location& location, const AddressSite& task, andes_frame* frame);

/// The sites of waits.
extern andes_site implicit_barrier, barrier, task_wait, critical_wait, lock_wait, ordered_wait;

} // namespace andes::monitor
