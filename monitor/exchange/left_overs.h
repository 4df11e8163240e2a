// Left-overs: operations that are not whole at the end of a run: messages with one side, requests that no call has
// completed, collectives that not all ranks of their communicator called, or in which they did not agree.
//
// Invariants:
//  - named only where the logs show it: an operation is numbered even where its call was not measured, so a side is
//    missing if the other end of the channel has counted fewer operations, not if it has no record; what the log had
//    no room for, or what threads did in an unknown order, is never named;
//  - kept by kind and both call paths, with the ranks of the first; their number is bounded.
#pragma once
#include "monitor/exchange/collectives.h"
#include "monitor/exchange/messages.h"

namespace andes::monitor {

enum class LeftKind : std::uint32_t {
  send,       // no receive took it
  receive,    // no send met it
  request,    // no call completed it
  order,      // of a collective: ranks called different ones
  root,       // of a collective: ranks named different roots
  missing,    // of a collective: not all ranks called it
};
inline constexpr std::uint32_t left_kinds = 6;

/// Operations of one kind and the same call paths; the ranks and the tag are those of the first.
struct LeftOver {
  std::uint64_t path = 0, peer_path = 0; // hashes; 0: not known
  double events = 0;
  LeftKind kind = LeftKind::send;
  std::int32_t rank = -1, peer_rank = -1; // -1: any, or none
  std::int32_t tag = -1;                  // -1: any, or none
  std::int32_t root = -1, peer_root = -1; // of `root`: the ranks that the two named; -1: not known
};

inline constexpr std::size_t most_left_overs = 256;

/// Adds left-overs in any order. Of too many the rarest are dropped.
void add_left_overs(std::vector<LeftOver>& into, const std::vector<LeftOver>& more);

/// Whether every numbered operation of this rank has its record: then an operation without a record was not called.
bool is_complete(const RankLog& log);

/// What is left over of messages and requests at this rank, and of the collectives that it compared. `all_complete`:
/// the logs of all ranks are complete.
std::vector<LeftOver> left_overs_of(const Messages& messages, const Collectives& collectives, const Operations& own,
                                    const EventTables& tables, const Sites& sites, int rank, bool all_complete);

} // namespace andes::monitor
