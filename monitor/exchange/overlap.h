// Overlap: the part of a non-blocking message's transfer that took place while the program computed. The
// transfer itself cannot be observed; known are its start, its completion, and the time that the program
// was inside MPI meanwhile. These give bounds (Shet et al., doi 10.1007/s10586-007-0046-3).
//
// Invariants: 0 <= low <= high <= transfer; receives count at the call path that posted them, sends at the
// one that started them; the two sides of a message count separately. A send that is complete when its
// call returns, since the library has copied the data, has nothing left to overlap and does not count.
#pragma once
#include "monitor/exchange/messages.h"
#include "monitor/exchange/transfer.h"

namespace andes::monitor {

/// Nanoseconds; sums over messages when added up.
struct Overlap {
  double transfer_ns = 0, low_ns = 0, high_ns = 0;
};

/// When the other side of a message began: no part of the transfer took place before. Of a send it is not known.
inline constexpr std::int64_t not_known_ns = INT64_MIN;

/// Bounds for one operation whose transfer is expected to take `transfer_ns`. From `peer_ns` on, and between the return
/// of the call that started it and the entry of the one that completed it, the program computed for C: at most
/// min(transfer, C) was hidden. Inside MPI, from the call that started it to the end of the one that completed it, both
/// included, at most as much of the transfer took place unhidden as that time L from `peer_ns` on: at least
/// transfer - L was hidden, limited by C. If no completion was seen, the bounds are zero and the whole transfer.
Overlap overlap_of(const Operation& operation, double transfer_ns, std::int64_t peer_ns = not_known_ns);

/// Sum over the messages that a location started in one call path; each message counts 2^level times.
struct SiteOverlap {
  std::int32_t site = -1, thread = 0; // site: index in RankLog::sites
  Overlap overlap;
};

struct Overlaps {
  std::vector<SiteOverlap> all; // by thread, site; those with a transfer of more than zero
  double unknown = 0; // messages whose transfer time is not known, scaled to all operations
};

/// Overlap of all non-blocking sends of `own` and all non-blocking receives of `messages` (the
/// message gives the bytes of a receive).
Overlaps overlaps_of(const Operations& own, const std::vector<Message>& messages, const EventTables& tables,
                     const TransferTimes& transfers, const std::vector<std::uint32_t>& node_of_rank, int rank,
                     std::uint32_t level);

} // namespace andes::monitor
