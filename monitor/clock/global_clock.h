// GlobalClock: the clock that all ranks share, as a straight line through two instants of this
// process's clock. Ranks that share a counter hold the same two points, those of their node's leader,
// so that one instant has one time on all of them, to the tick. A point for each rank would cost messages for all of
// them and leave events of one node unordered; more points (a curve) would need messages while the program runs.
//
// Invariants:
//  - zero is the start of the measured interval on rank 0, and the unit is rank 0's nanosecond;
//  - if `synchronised` is false, nothing here may be used: waits between ranks cannot be measured then.
#pragma once
#include <cstdint>

namespace andes::monitor {

/// An instant of this process's clock on the clock that all ranks share.
struct ClockPoint {
  std::uint64_t ticks = 0;
  double global_ns = 0; // the same zero for all ranks
  double error_ns = 0;  // half the width of the possible range; 0 on rank 0's node
};

struct GlobalClock {
  ClockPoint init, end;        // taken at MPI_Init and at MPI_Finalize
  std::int32_t nodes = 1;      // groups of ranks that share a clock
  std::int32_t node = 0;       // this rank's; the lowest rank of node 0 is rank 0
  double offset_error_ns = 0;  // largest error of all nodes at either point
  bool synchronised = false;   // the same on all ranks, except for a rank that a message did not reach
};

/// Position of `ticks` between the two points: 0 at the first, 1 at the second.
inline double share_of_clock(const GlobalClock& clock, std::uint64_t ticks) {
  if (clock.end.ticks == clock.init.ticks) return 0;
  return static_cast<double>(static_cast<std::int64_t>(ticks - clock.init.ticks)) /
         static_cast<double>(static_cast<std::int64_t>(clock.end.ticks - clock.init.ticks));
}

/// Nanoseconds of the global clock at `ticks` of this process's (not of EventRecord, whose ticks begin
/// at Clock::start).
inline double global_ns(const GlobalClock& clock, std::uint64_t ticks) {
  return clock.init.global_ns + share_of_clock(clock, ticks) * (clock.end.global_ns - clock.init.global_ns);
}

/// Possible error of global_ns() relative to rank 0, if the clocks drift evenly between the two
/// points. Times of two ranks of one node (GlobalClock::node) have no error relative to each other;
/// between two nodes the errors add up.
inline double error_ns(const GlobalClock& clock, std::uint64_t ticks) {
  double share = share_of_clock(clock, ticks);
  share = share < 0 ? 0 : share > 1 ? 1 : share;
  return clock.init.error_ns + share * (clock.end.error_ns - clock.init.error_ns);
}

} // namespace andes::monitor
