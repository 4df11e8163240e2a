// Waits: why the locations of this rank waited, found by comparing their logs with those of the other
// ranks and applying the rules to the result. All of it happens in MPI_Finalize, in a few rounds of
// exchange; nothing is sent during the run.
//
// Invariants:
//  - collective: all ranks take the same rounds, and give up together if one cannot go on;
//  - of the waits of one call on one location only the largest counts (of those within 5 % of it the one
//    whose cause comes first in the rules), so that the waits are never more than the time inside the
//    call (decision 83, which also says which waits count);
//  - a difference of times on two nodes within twice the clocks' error is not a wait: it is summed
//    separately.
#pragma once
#include <string>

#include "monitor/exchange/gains.h"
#include "monitor/exchange/left_overs.h"
#include "monitor/exchange/overlap.h"
#include "monitor/exchange/rank_log.h"
#include "monitor/rules/rules.h"

namespace andes::monitor {

/// One call's wait; it stands for 2^level of its kind. Call paths by their hashes; 0 and rank -1: not known.
struct Wait {
  std::uint64_t path, peer_path, origin_path;
  std::int64_t instance_ns; // enter of the call
  double wait_ns;
  std::int32_t rank, thread;           // the location that waited
  std::int32_t peer_rank, origin_rank; // the rank that it waited for; where the chain of waits began, maybe the same
  std::uint32_t cause;                 // index in Program::causes
  std::uint32_t level;                 // of the operation in which it was
};

struct Waits {
  std::string missing;     // reason why waits were not measured; empty: they were
  std::vector<Wait> all; // waits of this rank
  LogLevels levels;      // to which the logs of all ranks were thinned
  std::uint64_t matched = 0, unmatched = 0; // messages received here; operations without the other side
  std::uint64_t unordered = 0, lost = 0;    // operations not compared: order not known; no room
  std::uint64_t outside = 0; // operations with processes of another world, which are not compared
  std::uint64_t violations = 0;
  std::uint64_t lost_calls = 0; // of functions, no room in the log; of the rank that lost most
  double unclassified_ns = 0; // scaled to all operations
  double clock_error_ns = 0;  // largest between two ranks
  const char* transfer_source = nullptr; // value of fact transfer_source; null: overlap was not measured
  std::vector<SiteOverlap> overlaps;     // of this rank's non-blocking messages
  Gains gains;                           // complete on rank 0
  double transfers_unknown = 0;          // such messages whose transfer time is not known; scaled to all operations
  std::vector<LeftOver> left_overs;      // found at this rank
  std::vector<std::string> rules_stopped; // rules that reached their limit, as lines
};

/// Collective. `log.tables` null: this rank has no log. `call_stack_text` is asked for the call path
/// of a hash when a rule compares it with a text.
Waits find_waits(const RankLog& log, const rules::Program& program, AllToAll& ranks,
                 const std::function<std::string(std::int64_t)>& call_stack_text);

} // namespace andes::monitor
