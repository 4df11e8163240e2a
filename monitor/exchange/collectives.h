// Collectives: one rank compares the parts of all ranks in one operation and sends each rank what it
// needs to know about the others: the last rank, the first rank, and when the root entered.
// Participants with no data wait for no rank, and no rank waits for them.
//
// In calls on files, and in those that make communicators, ranks wait for each other only if the MPI library makes
// them. A function in which a rank was seen to leave before the last one had come does not, and its operations are
// left out (decision 283).
#pragma once
#include "monitor/exchange/all_to_all.h"
#include "monitor/exchange/shipment.h"

namespace andes::monitor {

/// Whether all ranks of such a collective wait for the last one, those without data as well.
inline bool waits_for_all(EventKind kind) {
  return kind == EventKind::barrier || kind == EventKind::fence || kind == EventKind::file ||
         kind == EventKind::communicator_create || kind == EventKind::window_create || kind == EventKind::window_free;
}

/// One rank's part in a collective, with the results about the others; sites are indices of `Sites`.
struct Participation {
  const Operation* operation = nullptr;
  CollectiveResult result;
};

/// A collective in which not all ranks did the same; sites are indices of `Sites`.
struct Disagreement {
  enum class In : std::uint8_t { order, root, missing } in;
  std::int32_t rank, site; // of one rank
  std::int32_t peer_rank, peer_site; // of another one that did something else, or nothing
  std::int32_t root = -1, peer_root = -1; // ranks that the two name as root, where these differ; -1: not known
};

struct Collectives {
  std::vector<Participation> all; // own parts
  std::vector<Disagreement> disagreements; // found here; not all, if they are very many
  std::uint64_t unmatched = 0; // parts compared here whose operation not all ranks had logged
  std::uint64_t violations = 0; // complete before they could be, by more than the clocks' error
};

/// Collective. `arrived` contains the parts that this rank compares; `own` are the operations it sent.
/// Adds sites of other ranks to `sites`.
Collectives compare_collectives(const Arrivals& arrived, const std::vector<Operation>& own, const EventTables& tables,
                                Sites& sites, double clock_error_ns, AllToAll& ranks);

} // namespace andes::monitor
