// Chains of waits, through all kinds of calls: rank 0 is late, rank 1 waits for its message, all others wait for rank 1
// at a barrier: the origin of all these waits is rank 0.
//
// A wait comes from another one if the late rank was itself waiting for most of its time: if its own waits cover
// half of it or more, the longest of them is the next link, or of several nearly as long the latest. It also comes from
// the longest of the late rank's waits since both ranks were last in step, if these are longer than those of the rank
// that waits by half of its wait or more: so a delay goes from neighbour to neighbour, a step later each (decision
// 317). Links go back in time from rank to rank; at the end of a chain a rank was late for a reason of its own: this is
// the origin of all its waits.
#pragma once
#include "monitor/exchange/steps.h"
#include "monitor/exchange/waited_calls.h"

namespace andes::monitor {

/// Collective. `calls` as waited_calls() gives them: finds the origin of each, and whether the peer had waited for a
/// message itself.
void follow_chains(std::vector<WaitedCall>& calls, const Steps& steps, AllToAll& ranks);

} // namespace andes::monitor
