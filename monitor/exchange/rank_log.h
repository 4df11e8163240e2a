// RankLog: a rank's input to the exchange: the logs of its locations, the clock that makes their
// ticks comparable with those of other ranks, and the call paths of their records.
#pragma once
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "monitor/core/event_log.h"
#include "monitor/exchange/transfer.h"

namespace andes::monitor {

/// A call path that ends in an MPI call, with a name that is the same on all ranks.
struct CallSite {
  std::uint64_t path = 0; // hash of the call path
  std::string function;
};

/// The log of one location, and the site of each node of its tree; -1: none.
struct LocationLog {
  const EventLog* log = nullptr;
  std::vector<std::int32_t> sites;
  const EventLog* calls = nullptr; // of functions; null: they are not logged
};

/// Ticks since the start of this process's clock, as nanoseconds of the clock that all ranks share.
struct TimeLine {
  double zero_ns = 0, ns_per_tick = 1;
  double error_ns = 0;    // relative to ranks of other nodes
  std::uint32_t node = 0; // ranks with equal numbers share a clock
  bool known = true;      // false: the clock could not be compared with other ranks' clocks

  std::int64_t at(std::uint64_t ticks) const {
    return std::llround(zero_ns + static_cast<double>(ticks) * ns_per_tick);
  }
};

struct RankLog {
  std::vector<CallSite> sites;
  std::vector<LocationLog> locations; // by thread
  const EventTables* tables = nullptr;
  TimeLine time;
  std::int64_t begin_ns = INT64_MAX, end_ns = INT64_MIN; // of the main thread; as here: not known
  std::uint64_t eager_bytes = 0; // messages up to this size are sent at once; 0: not known
  TransferTimes transfers; // expected times by setting `transfer`; if it has no source they are measured
};

} // namespace andes::monitor
