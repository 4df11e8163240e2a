#include "monitor/exchange/overlap.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace andes::monitor {
namespace {

class Summing {
public:
  Summing(const TransferTimes& transfers, const std::vector<std::uint32_t>& node_of_rank, int rank, std::uint32_t level)
      : transfers_(transfers), node_of_rank_(node_of_rank), rank_(rank), kept_(kept_one_in(level)) {}

  void add(const Operation& operation, std::uint32_t amount, int peer, std::int64_t peer_ns) {
    if (!(operation.flags & event_pending) || operation.start.site < 0) return;
    const TransferTable& table = share_node(peer) ? transfers_.within_node : transfers_.between_nodes;
    const auto bytes = static_cast<double>(long_of(amount));
    const std::optional<double> expected_ns = transfer_ns(table, bytes);
    if (!expected_ns) {
      unknown_ += kept_;
      return;
    }
    const Overlap one = overlap_of(operation, *expected_ns, peer_ns);
    Overlap& sum = sums_[{operation.start.thread, operation.start.site}];
    sum.transfer_ns += kept_ * one.transfer_ns;
    sum.low_ns += kept_ * one.low_ns;
    sum.high_ns += kept_ * one.high_ns;
  }

  Overlaps all() const {
    Overlaps overlaps;
    for (const auto& [place, sum] : sums_)
      if (sum.transfer_ns > 0) overlaps.all.push_back({place.second, place.first, sum});
    overlaps.unknown = unknown_;
    return overlaps;
  }

private:
  bool share_node(int peer) const {
    return node_of_rank_.empty() ||
           node_of_rank_[static_cast<std::size_t>(peer)] == node_of_rank_[static_cast<std::size_t>(rank_)];
  }

  const TransferTimes& transfers_;
  const std::vector<std::uint32_t>& node_of_rank_;
  int rank_;
  double kept_; // number of messages that each logged one represents
  double unknown_ = 0;
  std::map<std::pair<std::int32_t, std::int32_t>, Overlap> sums_; // by thread, site
};

/// The part of a call from `from_ns` on.
double length_ns(const Call& call, std::int64_t from_ns) {
  return static_cast<double>(std::max<std::int64_t>(0, call.exit_ns - std::max(call.enter_ns, from_ns)));
}

} // namespace

Overlap overlap_of(const Operation& operation, double transfer_ns, std::int64_t peer_ns) {
  if (!operation.completed) return {transfer_ns, 0, transfer_ns};
  const std::int64_t ready_ns = std::max(operation.start.exit_ns, peer_ns);
  const double gap_ns = std::max(0.0, static_cast<double>(operation.end.enter_ns - operation.start.exit_ns));
  const double shared_ns = std::max(0.0, static_cast<double>(operation.end.enter_ns - ready_ns)); // the gap's part
  const double library_ns = std::min(operation.library_ns, gap_ns);
  const double high_ns = std::min({transfer_ns, gap_ns - library_ns, shared_ns});
  const double inside_ns =
      length_ns(operation.start, peer_ns) + std::min(library_ns, shared_ns) + length_ns(operation.end, peer_ns);
  return {transfer_ns, std::clamp(transfer_ns - inside_ns, 0.0, high_ns), high_ns};
}

Overlaps overlaps_of(const Operations& own, const std::vector<Message>& messages, const EventTables& tables,
                     const TransferTimes& transfers, const std::vector<std::uint32_t>& node_of_rank, int rank,
                     std::uint32_t level) {
  Summing summing(transfers, node_of_rank, rank, level);
  for (const Operation& send : own.sends)
    if (const std::int32_t peer = tables.channels[send.channel].peer; peer >= 0)
      summing.add(send, send.amount, peer, not_known_ns);
  for (const Message& message : messages)
    if (!message.is_part)
      summing.add(*message.receive, message.send.amount, message.source, message.send.start.enter_ns);
  return summing.all();
}

} // namespace andes::monitor
