// Team: parallel regions of OpenMP in the call trees of their threads. What a runtime tells (gomp.cc, ompt.cc)
// becomes visits: of the thread that opens a region (fork, join), of the others in its team (enter, leave), and of
// whoever waits.
//
// A member's visits hang below the call path that opened the region, which stands in its own tree for that: the
// chain of regions from "(program)" down, made at its first time in the region and found again by a cache. Its part
// is one visit of the region's node, opened far below the root (ANDES_FRAME_FAR); the call paths between have its
// time and no visits.
//
// Invariants: nothing here communicates or waits for another thread; what finds no room is counted where the
// thread is; all of it is under Inside, and calls nothing of the program.
#pragma once
#include "monitor/sites/addresses.h"
#include "monitor/core/process.h"
#include "monitor/life/learned_code.h"

namespace andes {

/// This thread's location, attached if the process is one that may be measured; null: nothing is measured.
Location* team_thread();

/// A runtime that has opened a region. Threads may tell of two at once.
inline void note_runtime(Process& process, OpenMp runtime) {
  if (!(__atomic_load_n(&process.openmp, __ATOMIC_RELAXED) & runtime))
    __atomic_fetch_or(&process.openmp, runtime, __ATOMIC_RELAXED);
}

/// A region is opened; address 0: nothing is known of its code. Its visit, unless a probe has opened that. Null: no room,
/// or switched off.
Fork* fork_team(Process& process, Location& location, ConstructCode code);
/// The whole team has done its part. Regions that were not joined inside it are forgotten.
void join_team(Process& process, Location& location, Fork& fork);

/// A member begins with its part, and has done it.
void enter_team(Process& process, Location& location, const Fork& fork);
void leave_team(Process& process, Location& location);

/// A wait, as if the call were inlined into what is innermost; close_visit() ends it. Null: not measured.
andes_frame* open_wait(Process& process, Location& location, andes_site* site);

/// A task begins in this thread: its visit, unless it has a probe that opens one. Null: that, or not measured.
andes_frame* open_task(Process& process, Location& location, AddressSite& task);
void close_task(Process& process, Location& location, const AddressSite& task, andes_frame* frame);

/// The sites of waits.
extern andes_site implicit_barrier, barrier, task_wait, critical_wait, lock_wait, ordered_wait;

} // namespace andes
