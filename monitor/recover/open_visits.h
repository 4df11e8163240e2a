// Open visits of a process that ended, or that is being read while it runs: finds the valid frames and the time
// of the end, and closes the visits at that time.
//
// A frame is pushed and popped by several stores, and the process may have died between any two of them: the
// innermost frame may hold data of an earlier visit at its place, or may be of a visit whose time has been
// counted already. So a stack is cut where a frame
//  - names no node, or a node that is not a child of the open node below it (except for recursion);
//  - entered before the frame below it, or after the end;
//  - once closed, would make the caller's callees take more time than the caller itself.
// The cut loses the time of one open visit, never its count; a visit that was counted at that instant may
// be missing. So visits and times are right up to the last completed event.
#pragma once
#include "monitor/recover/recovered.h"

namespace andes::monitor {

/// The last recorded time of the process: of visits entered, calls logged, threads ended, snapshots.
std::uint64_t last_event(const RecoveredProcess& process);

/// Number of valid frames of `open`, including the root's, if the thread ended at `end_ticks`.
std::size_t count_valid_frames(const Location& location, const OpenVisits& open, std::uint64_t end_ticks);

/// Closes the open visits at the process's `end_ticks`; needs the end anchor of its clock (recovered_clock.h).
void close_process(RecoveredProcess& process);

} // namespace andes::monitor
