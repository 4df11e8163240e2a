// Gains: by how much the run would have been shorter without the waits of a finding, from a replay of all operations
// (replay.h) with each of its cures.
//
// All ranks replay at the same time, each a span of the run with the operations of all ranks. How early the ranks are
// at the begin of a span is not known before the span before it is replayed. So each span is replayed twice: from ranks
// that are on time, then from the shifts that the first round found at the end of the span before. What these differ
// from those of the second round adds up to the error: a shift of all ranks passes a span unchanged, and any
// other difference never grows (decision 239).
//
// Invariants: collective; only the findings with the longest waits are replayed; there are no gains, and the reason is
// known, where operations are missing or the order of calls is not that of one thread.
#pragma once
#include <string>

#include "monitor/exchange/replay_log.h"
#include "monitor/exchange/waited_calls.h"

namespace andes::monitor {

/// A finding: waits of one cause in one call path.
struct FindingKey {
  std::uint64_t path = 0; // hash
  std::uint32_t cause = 0; // index in Program::causes
  std::uint32_t unused = 0;
  auto operator<=>(const FindingKey&) const = default;
};

struct FindingGain {
  FindingKey finding;
  double gain_ns[cure_count] = {}; // by cure; negative: the run would be longer
  double error_ns[cure_count] = {};
};

struct Gains {
  std::string missing; // why there are none; empty: those of the findings below are known
  std::vector<FindingGain> all; // on rank 0; longest waits first
};

/// A wait of this rank, for the replay.
struct ReplayedWait {
  FindingKey finding;
  Origin origin;
  CuredCall call; // without its finding
  double wait_ns = 0;
};

/// What one rank knows of its part of the run.
struct ReplayedRank {
  ReplayLog log;
  std::vector<ReplayedWait> waits;
  std::int64_t begin_ns = 0, end_ns = 0; // of the main thread
  std::uint32_t wrong_order = ~std::uint32_t{0}; // the cause whose cure is another order of receives, if there is one
  bool single_thread = true; // no other thread has called MPI
  bool whole = true; // all operations are in the log
};

/// Of fewer operations it is not worth while to make a span.
inline constexpr std::uint64_t least_in_span = 200'000;

Gains find_gains(ReplayedRank own, AllToAll& ranks, std::uint64_t in_span = least_in_span);

} // namespace andes::monitor
