// Collectives: the parts of all ranks in one operation come together at one rank, which tells each of
// them what it needs to know of the others: who came last, who came first, when the root did.
// Participants with no data wait for nobody and keep nobody waiting.
#pragma once
#include "monitor/exchange/all_to_all.h"
#include "monitor/exchange/shipment.h"

namespace andes {

/// One rank's part in a collective, with what it learnt of the others; sites: of `Sites`.
struct Participation {
  const Operation* operation = nullptr;
  CollectiveResult result;
};

struct Collectives {
  std::vector<Participation> all;
  std::uint64_t unmatched = 0;  // parts compared here whose operation not all ranks had logged
  std::uint64_t violations = 0; // complete before they could be, by more than the clocks' error
};

/// Collective. `arrived`: among others the parts that this rank compares; `own`: those it sent. Learns the
/// sites that it is told of.
Collectives compare_collectives(const Arrivals& arrived, const std::vector<Operation>& own, Sites& sites,
                                double clock_error_ns, AllToAll& ranks);

} // namespace andes
