#include "monitor/rules/index.h"

#include <algorithm>
#include <tuple>

namespace andes::monitor::rules {

void finish(Index& index) {
  std::vector<IndexEntry>& entries = index.entries;
  std::sort(entries.begin(), entries.end(), [](const IndexEntry& a, const IndexEntry& b) {
    return std::tie(a.hash, a.key, a.row) < std::tie(b.hash, b.key, b.row);
  });
  std::size_t distinct = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) distinct += i == 0 || entries[i].hash != entries[i - 1].hash;
  index.groups.assign(std::bit_ceil(2 * distinct + 1), {0, 0});
  const std::size_t mask = index.groups.size() - 1;
  for (std::size_t i = 0; i < entries.size();) {
    std::size_t end = i + 1;
    while (end < entries.size() && entries[end].hash == entries[i].hash) ++end;
    std::size_t slot = entries[i].hash & mask;
    while (index.groups[slot].second != 0) slot = (slot + 1) & mask;
    index.groups[slot] = {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(end)};
    i = end;
  }
}

std::pair<std::size_t, std::size_t> find(const Index& index, std::uint64_t hash, std::int64_t low, std::int64_t high) {
  const std::size_t mask = index.groups.size() - 1;
  std::size_t slot = hash & mask;
  while (index.groups[slot].second != 0 && index.entries[index.groups[slot].first].hash != hash)
    slot = (slot + 1) & mask;
  const auto begin = index.entries.begin() + index.groups[slot].first;
  const auto end = index.entries.begin() + index.groups[slot].second;
  const auto first =
      std::lower_bound(begin, end, low, [](const IndexEntry& e, std::int64_t key) { return e.key < key; });
  const auto last =
      std::upper_bound(first, end, high, [](std::int64_t key, const IndexEntry& e) { return key < e.key; });
  return {static_cast<std::size_t>(first - index.entries.begin()),
          static_cast<std::size_t>(last - index.entries.begin())};
}

} // namespace andes::monitor::rules
