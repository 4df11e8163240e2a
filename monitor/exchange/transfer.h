// Transfer times: how long messages are expected to be on their way without a processor's help. What a
// processor must do inside MPI calls, such as copying, cannot go on beside computation and is not part
// of it. From setting `transfer` or from messages of a few sizes, sent at the end of the run between
// two ranks of a node and two nodes. The full half round trip would ask programs in shared memory to hide what their
// own processors do. Collectives are left out: nobody has said what their transfer should take.
#pragma once
#include <cstdint>
#include <vector>

#include "monitor/exchange/all_to_all.h"

namespace andes {

/// Piecewise linear between its points, in order of bytes; beyond the last one in proportion to the
/// bytes, since long messages take what the bandwidth makes of them.
struct TransferTable {
  std::vector<double> bytes, ns;
};

/// 0 from an empty table.
double transfer_ns(const TransferTable& table, double bytes);

struct TransferTimes {
  TransferTable within_node, between_nodes;
  const char* source = nullptr; // of fact transfer_source; null: nothing is known
};

/// From setting `transfer`, for all messages alike: latency + bytes / bandwidth.
TransferTimes transfer_times(double latency_ns, double bytes_per_s);

/// Collective. Measures; `node_of_rank` empty: all are on one node. Takes half a millisecond for
/// each of the two pairs; without a source where that was too little.
TransferTimes measure_transfers(const std::vector<std::uint32_t>& node_of_rank, AllToAll& ranks);

} // namespace andes
