// Index of the events of one step of a rule: by the hash of the values that must be equal; equal
// hashes are sorted by the window's key. It finds candidates; the conditions are checked afterwards.
#pragma once
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace andes::monitor::rules {

struct IndexEntry {
  std::uint64_t hash;
  std::int64_t key;
  std::uint32_t row;
};

struct Index {
  std::vector<IndexEntry> entries; // sorted by hash, key, row
  // Open addressing: the entries [first, end) of a hash.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> groups;
};

/// Sorts the entries and makes the groups.
void finish(Index& index);

/// Entries [first, end) of this hash whose keys are from `low` to `high`.
std::pair<std::size_t, std::size_t> find(const Index& index, std::uint64_t hash, std::int64_t low, std::int64_t high);

inline std::uint64_t hash_with(std::uint64_t hash, std::uint64_t value) { // splitmix64's finaliser
  std::uint64_t x = (hash + 0x9e3779b97f4a7c15u) ^ value;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

/// An integer with the same order as the real; both zeros give the same integer.
inline std::int64_t ordered(double value) {
  const auto bits = std::bit_cast<std::int64_t>(value + 0.0);
  return bits < 0 ? bits ^ INT64_MAX : bits;
}

} // namespace andes::monitor::rules
