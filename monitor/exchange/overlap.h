// Overlap: how much of a non-blocking message's transfer went on while the program computed. Nobody sees
// the transfer itself; what is known is when it was started, when it was complete, and how long the
// program was inside MPI meanwhile. That gives bounds (Shet et al., doi 10.1007/s10586-007-0046-3).
//
// Invariants: 0 <= low <= high <= transfer; receives count at the call path that posted them, sends at
// the one that started them; both sides of a message count for themselves. A send that is complete when
// its call returns, as the library has copied it, has nothing left to hide and does not count.
#pragma once
#include "monitor/exchange/messages.h"
#include "monitor/exchange/transfer.h"

namespace andes {

/// Nanoseconds; sums over messages when added up.
struct Overlap {
  double transfer_ns = 0, low_ns = 0, high_ns = 0;
};

/// Bounds for one operation whose transfer is expected to take `transfer_ns`. Between the return of the
/// call that started it and the entry of the one that completed it the program computed for
/// C = gap - library: at most min(transfer, C) was hidden. In the rest of the gap, the time inside MPI,
/// at most that much may have gone on unhidden: at least transfer - library was hidden, as far as there
/// was computation to hide it. Never seen to complete: from nothing to all of it.
Overlap overlap_of(const Operation& operation, double transfer_ns);

/// What a location's messages started in one call path come to, each message standing for 2^level.
struct SiteOverlap {
  std::int32_t site = -1, thread = 0; // site: index in RankLog::sites
  Overlap overlap;
};

/// Of all non-blocking sends of `own` and all non-blocking receives among `messages` (the bytes of a
/// receive are known from its message), by thread and site.
std::vector<SiteOverlap> overlaps_of(const Operations& own, const std::vector<Message>& messages,
                                     const EventTables& tables, const TransferTimes& transfers,
                                     const std::vector<std::uint32_t>& node_of_rank, int rank,
                                     std::uint32_t level);

} // namespace andes
