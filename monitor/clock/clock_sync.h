// ClockSync: fills GlobalClock. All ranks meet when MPI starts and when it ends; each time they tell
// one another which clock they have, and one leader of each group that shares a clock finds out how far
// its own is from that of rank 0, by messages along a binomial tree of the leaders.
//
// Invariants:
//  - a group is ranks of one host whose counters agree: none has read, before the ranks met, a later
//    time than its leader read after; a rank whose counter does not agree is a group of its own;
//  - on one node nothing is sent but what it takes to meet;
//  - errors only add up: what is stated is never less than what is possible (offset.h);
//  - a message that fails leaves the clock unsynchronised and the program unharmed.
#pragma once
#include "monitor/clock/clock.h"
#include "monitor/clock/global_clock.h"
#include "monitor/interface/transport.h"

namespace andes {

/// What is kept from MPI_Init to MPI_Finalize.
struct ClockSync {
  bool done_at_init = false;
  std::uint64_t groups = 0;       // hash of who leads whom
  std::uint64_t world = 0;        // of rank 0's host and time: names the MPI_COMM_WORLD; 0: not yet
  std::int64_t reference_ns = 0;  // CLOCK_MONOTONIC of rank 0 at global zero
};

/// Collective over all ranks; false: a message failed, and `transport` serves no more.
bool synchronise_at_init(ClockSync& sync, GlobalClock& global, const Clock& clock,
                         const andes_transport& transport, double timeout_s);
bool synchronise_at_end(const ClockSync& sync, GlobalClock& global, const Clock& clock,
                        const andes_transport& transport, double timeout_s);

} // namespace andes
