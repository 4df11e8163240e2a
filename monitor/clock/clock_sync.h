// ClockSync: fills GlobalClock. All ranks meet when MPI starts and when it ends; each time all ranks
// exchange which clock they have. Ranks that share a clock are a group; the leader of each group measures
// the difference between its clock and that of rank 0, by messages along a binomial tree of the leaders.
//
// Invariants:
//  - a group is the ranks of one host whose counters agree: no time that a member read before the
//    meeting is later than a time that its leader read after it, and vice versa; a rank whose
//    counter does not agree is a group of its own;
//  - on one node no messages are sent except for the meeting itself;
//  - errors are added: the stated error is never smaller than the possible one (offset.h);
//  - if a message fails, the clock stays unsynchronised and the program goes on unharmed.
#pragma once
#include "monitor/clock/clock.h"
#include "monitor/clock/global_clock.h"
#include "monitor/interface/transport.h"

namespace andes::monitor {

/// The state from MPI_Init to MPI_Finalize.
struct ClockSync {
  bool done_at_init = false;
  std::uint64_t groups = 0;       // hash of all ranks' leaders
  std::uint64_t world = 0;        // made from rank 0's host and time: identifies the MPI_COMM_WORLD; 0: not known yet
  std::int64_t reference_ns = 0;  // CLOCK_MONOTONIC of rank 0 at global zero
};

/// Collective over all ranks; false: a message failed, and `transport` must not be used any more.
bool synchronise_at_init(ClockSync& sync, GlobalClock& global, const Clock& clock, const andes_transport& transport,
                         double timeout_s);
bool synchronise_at_end(const ClockSync& sync, GlobalClock& global, const Clock& clock,
                        const andes_transport& transport, double timeout_s);

/// For ranks that never meet: the clock is as it would be if all of them shared it. Who puts them together later must
/// know that they ran on one host. The world gets no identifier.
void assume_one_clock(ClockSync& sync, GlobalClock& global, const Anchor& now);

} // namespace andes::monitor
