// Who waits for whom in a job, and which ranks can never go on.
//
// A wait is a list of clauses; it ends once each of them holds: one of the ranks that the clause names must act. A
// rank that computes, whose call is not understood, or that waits for less than `least_wait_s` may do anything. Of the
// others those are taken out, again and again, whose wait such a rank may end. What is left are deadlocks, and ranks
// that wait for these or for ranks that have ended.
//
// Invariants:
//  - a deadlock is reported only if it is certain: where the arenas do not tell (order of a channel not known, requests
//    not listed, ranks of other hosts), a wait counts as one that may end;
//  - what has been sent and not received ends a wait: the numbers of operations on both sides of a channel tell;
//  - of a process that was killed without notice it is not known how long it had waited: then only waits count that a
//    call of another rank must end;
//  - waits longer than the time between the readings of two ranks overlap: all of them existed at one moment.
#pragma once
#include <vector>

#include "monitor/interface/hang.h"
#include "monitor/recover/rank_state.h"

namespace andes::monitor {

/// Shorter waits are none: messages may be on their way.
inline constexpr double usual_least_wait_s = 1;

Hang find_hang(const std::vector<RankState>& ranks, double least_wait_s = usual_least_wait_s);

} // namespace andes::monitor
