// Transfer times: the expected time of a message that passes without a processor's help. Work of a processor inside
// MPI calls, such as copying, cannot overlap with computation and is not part of it. From setting `transfer` or from
// messages of a few sizes, sent at the end of the run between two ranks of a node and two nodes. Using the full half
// round trip would demand that programs in shared memory hide work of their own processors. Collectives are left
// out: there is no expected time for them.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "monitor/exchange/all_to_all.h"

namespace andes::monitor {

/// Piecewise linear between its points, in order of bytes; beyond the last one in proportion to the
/// bytes, since the bandwidth determines the time of long messages.
struct TransferTable {
  std::vector<double> bytes, ns;
  bool goes_on = true; // false: nothing is known beyond the last point
};

/// Absent: not known.
std::optional<double> transfer_ns(const TransferTable& table, double bytes);

struct TransferTimes {
  TransferTable within_node, between_nodes;
  const char* source = nullptr; // value of fact transfer_source; null: no times are known
};

/// Lowers times of small messages to those of larger ones, of the half round trip and of the processor each: a small
/// message takes no longer, and what disturbs a measurement only makes it longer. Those that are 0 were not measured.
void settle(std::span<andes_message_time> times);

/// From setting `transfer`, for all messages alike: latency + bytes / bandwidth.
TransferTimes transfer_times(double latency_ns, double bytes_per_s);

/// Collective. Measures what messages of up to `most_bytes` need; `node_of_rank` empty: all are on one node. Takes half
/// a millisecond for each of the two pairs, up to 5 ms where a long message takes that long or ranks lose their cores;
/// the result has no source if that was too short.
TransferTimes measure_transfers(const std::vector<std::uint32_t>& node_of_rank, std::uint64_t most_bytes,
                                AllToAll& ranks);

} // namespace andes::monitor
