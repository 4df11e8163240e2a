#include "monitor/exchange/transfer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace andes::monitor {
namespace {

constexpr std::array<std::size_t, 6> sizes = {8, 1024, 8192, 32768, 131072, 524288};
constexpr std::size_t kinds = 2; // within a node, between nodes

/// Two ranks that measure for all.
struct Pair {
  int leads = -1, follows = -1;
};

/// The first ranks that share a node, and the first that do not.
std::array<Pair, kinds> pairs_of(const std::vector<std::uint32_t>& node_of_rank, int ranks) {
  if (node_of_rank.empty()) return {ranks > 1 ? Pair{0, 1} : Pair(), Pair()};
  std::array<Pair, kinds> pairs;
  std::map<std::uint32_t, int> first; // rank, by node
  for (int rank = 0; rank < static_cast<int>(node_of_rank.size()); ++rank) {
    const std::uint32_t node = node_of_rank[static_cast<std::size_t>(rank)];
    const auto [found, fresh] = first.try_emplace(node, rank);
    if (!fresh && pairs[0].leads < 0) pairs[0] = {found->second, rank};
    if (node != node_of_rank[0] && pairs[1].leads < 0) pairs[1] = {0, rank};
  }
  return pairs;
}

/// Picoseconds plus 1, so that 0 means: not measured.
std::uint64_t code_of(const andes_message_time& time) {
  if (time.half_round_trip_ns <= 0) return 0;
  const double left_ns = std::max(0.0, time.half_round_trip_ns - time.processor_ns);
  return static_cast<std::uint64_t>(std::llround(left_ns * 1e3)) + 1;
}

TransferTable table_of(const std::uint64_t* codes) {
  TransferTable table;
  for (std::size_t i = 0; i < sizes.size() && codes[i] != 0; ++i) {
    table.bytes.push_back(static_cast<double>(sizes[i]));
    table.ns.push_back(static_cast<double>(codes[i] - 1) * 1e-3);
  }
  table.goes_on = table.bytes.size() == sizes.size();
  return table;
}

} // namespace

void settle(std::span<andes_message_time> times) {
  andes_message_time least = {0, 0}; // of this size and larger ones
  const auto lower = [](double& ns, double& least_ns) { ns = least_ns = least_ns > 0 ? std::min(ns, least_ns) : ns; };
  for (std::size_t i = times.size(); i-- > 0;) {
    if (times[i].half_round_trip_ns <= 0) continue;
    lower(times[i].half_round_trip_ns, least.half_round_trip_ns);
    lower(times[i].processor_ns, least.processor_ns);
  }
}

std::optional<double> transfer_ns(const TransferTable& table, double bytes) {
  if (table.bytes.empty() || (!table.goes_on && bytes > table.bytes.back())) return std::nullopt;
  if (table.bytes.size() == 1 || bytes <= table.bytes.front()) return table.ns.front();
  if (bytes >= table.bytes.back()) return table.ns.back() * bytes / table.bytes.back();
  const auto above = std::upper_bound(table.bytes.begin() + 1, table.bytes.end() - 1, bytes);
  const auto i = static_cast<std::size_t>(above - table.bytes.begin());
  const double slope = (table.ns[i] - table.ns[i - 1]) / (table.bytes[i] - table.bytes[i - 1]);
  return table.ns[i - 1] + slope * (bytes - table.bytes[i - 1]);
}

TransferTimes transfer_times(double latency_ns, double bytes_per_s) {
  const TransferTable table = {{0, bytes_per_s}, {latency_ns, latency_ns + 1e9}, true};
  return {table, table, "setting"};
}

TransferTimes measure_transfers(const std::vector<std::uint32_t>& node_of_rank, std::uint64_t most_bytes,
                                AllToAll& ranks) {
  const auto longest = std::lower_bound(sizes.begin(), sizes.end() - 1, most_bytes);
  const auto needed = static_cast<std::size_t>(longest - sizes.begin()) + 1;
  const std::array<Pair, kinds> pairs = pairs_of(node_of_rank, ranks.size());
  std::vector<std::uint64_t> codes(kinds * sizes.size(), 0);
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    const auto [leads, follows] = pairs[kind];
    if (ranks.rank() != leads && ranks.rank() != follows) continue;
    std::array<andes_message_time, sizes.size()> times = {};
    const bool leading = ranks.rank() == leads;
    ranks.time_messages(leading ? follows : leads, leading, sizes.data(), needed, times.data());
    settle(times);
    if (leading)
      std::transform(times.begin(), times.end(), codes.begin() + static_cast<std::ptrdiff_t>(kind * sizes.size()),
                     code_of);
  }
  ranks.largest(codes);
  if (ranks.failed()) return {};
  TransferTimes found = {table_of(codes.data()), table_of(codes.data() + sizes.size()), nullptr};
  if (!found.within_node.bytes.empty() || !found.between_nodes.bytes.empty()) found.source = "calibration";
  return found;
}

} // namespace andes::monitor
