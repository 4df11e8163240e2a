// Collectives: one rank compares the parts of all ranks in one operation and sends each rank what it
// needs to know about the others: the last rank, the first rank, and when the root entered.
// Participants with no data wait for no rank, and no rank waits for them.
#pragma once
#include "monitor/exchange/all_to_all.h"
#include "monitor/exchange/shipment.h"

namespace andes::monitor {

/// One rank's part in a collective, with the results about the others; sites are indices of `Sites`.
struct Participation {
  const Operation* operation = nullptr;
  CollectiveResult result;
};

struct Collectives {
  std::vector<Participation> all;
  std::uint64_t unmatched = 0;  // parts compared here whose operation not all ranks had logged
  std::uint64_t violations = 0; // complete before they could be, by more than the clocks' error
};

/// Collective. `arrived` contains the parts that this rank compares; `own` are the operations it sent.
/// Adds sites of other ranks to `sites`.
Collectives compare_collectives(const Arrivals& arrived, const std::vector<Operation>& own, Sites& sites,
                                double clock_error_ns, AllToAll& ranks);

} // namespace andes::monitor
