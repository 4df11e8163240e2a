// Open visits of a process that ended, or that is being read while it runs: which of its frames are whole, when
// it ended, and closing them there.
//
// A frame is made and taken away in several stores, and the process may have died between any two of them:
// the innermost one may hold what the visit before it left in its place, or be that of a visit whose time has
// been counted already. So a stack is cut where a frame
//  - names no node, or one that is not a child of the open node below it (recursion aside);
//  - entered before the frame below it, or after the end;
//  - would have its caller's call paths take more time than the caller itself, once closed.
// What is cut off loses the time of one open visit, never its count; a visit that was counted in the same
// instant may be missing. So visits and times are right up to the last completed event.
#pragma once
#include "monitor/recover/recovered.h"

namespace andes {

/// The last instant that the process tells of: visits entered, calls logged, threads ended, snapshots.
std::uint64_t last_event(const RecoveredProcess& process);

/// Frames of `open` that are whole, the root's included, if the thread ended at `end_ticks`.
std::size_t whole_frames(const Location& location, const OpenVisits& open, std::uint64_t end_ticks);

/// Closes what is open at `end_ticks` of the process; needs its clock's end (recovered_clock.h).
void close_process(RecoveredProcess& process);

} // namespace andes
