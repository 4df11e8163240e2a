// WaitSums: the waits of a group of ranks by cause, call path, and peer (the rank that was waited for), in a form
// that can be merged. Call paths are identified by hashes, since a peer's call path need not exist on this rank.
//
// Invariants: sorted by key, each key once; at most most_wait_sums sums name a peer: the smallest
// lose their peer, so that the sum of all waits stays.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "monitor/exchange/left_overs.h"

namespace andes::monitor {

inline constexpr std::size_t most_wait_sums = 4096;

struct WaitSum {
  // The key; hashes, 0: not known.
  std::uint64_t path = 0, peer_path = 0, origin_path = 0;
  std::int32_t cause = 0; // index in the program of rules
  std::int32_t chained = 0; // 1: the rank that was waited for is not the origin
  // The peer rank with the largest share of the waits, and the rank with the largest share as the origin of
  // chains of waits, each with its share; -1: not known. When groups are merged, the larger of two stays.
  std::int32_t peer_rank = -1, origin_rank = -1;
  double peer_ns = 0, origin_ns = 0;
  double wait_ns = 0, events = 0; // estimates for all operations
  double variance_ns2 = 0;        // squared standard error of wait_ns
};

struct WaitSums {
  std::vector<WaitSum> sums;
  std::int64_t matched = 0, unmatched = 0, unordered = 0, outside = 0, lost = 0, violations = 0;
  double unclassified_ns = 0;
  double clock_error_ns = 0; // the largest
  double transfers_unknown = 0; // non-blocking messages whose transfer time is not known
  std::vector<LeftOver> left_overs;
};

/// Adds waits in any order.
void add_wait_sums(WaitSums& into, const std::vector<WaitSum>& sums);

void merge(WaitSums& into, const WaitSums& from);

} // namespace andes::monitor
