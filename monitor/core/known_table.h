// A table of what was found out: a small index, which is a hash table, and a list of entries in the order in which they
// were made. So memory that is touched follows what is known, and is taken from the budget step by step.
#pragma once
#include <cstddef>
#include <cstdint>

#include "monitor/core/budget.h"

namespace andes::monitor {

/// Slots of an index that are searched, from that of the entry's hash on.
inline constexpr std::uint32_t most_table_tries = 16;
/// Of a list of entries: part of least_tree_bytes; of more.
inline constexpr std::size_t first_table_bytes = 8192, step_table_bytes = 4096;

inline std::uint32_t hash_of(std::uint64_t value) {
  return static_cast<std::uint32_t>((value * 0x9e3779b97f4a7c15ull) >> 40);
}

/// The first slot of the index, from that of the hash on, that is free or for whose number is_it(number) is true; null:
/// none of those searched.
template <class Number, std::size_t slots, class IsIt>
Number* find_slot(Number (&index)[slots], std::uint32_t hash, IsIt is_it) {
  for (std::uint32_t i = 0; i < most_table_tries; ++i)
    if (Number& number = index[(hash + i) % slots]; number == 0 || is_it(number)) return &number;
  return nullptr;
}

/// All zero is empty. `slots`: a power of two.
template <class Entry, std::uint32_t slots> struct KnownTable {
  std::uint32_t count; // entries that were made
  std::size_t paid_bytes; // memory of entries that may be touched
  std::uint16_t index[slots]; // number of the entry, from 1; 0: a free slot
  Entry entries[slots];

  static_assert(slots <= UINT16_MAX);

  Entry& at(std::uint16_t number) { return entries[number - 1]; }
  const Entry& at(std::uint16_t number) const { return entries[number - 1]; }

  /// Puts an entry into a slot of the index, in place of the slot's own entry if it has one; not if memory is missing.
  void put(std::uint16_t& slot, const Entry& entry, Budget& memory) {
    if (slot != 0) {
      at(slot) = entry;
      return;
    }
    if (count == slots) return;
    if ((count + std::size_t{1}) * sizeof(Entry) > paid_bytes) {
      if (!memory.take(step_table_bytes)) return;
      paid_bytes += step_table_bytes;
    }
    entries[count++] = entry;
    slot = static_cast<std::uint16_t>(count);
  }

  /// Forgets all entries but those for which keeps(entry) is true; hash(entry) is what they are found by.
  template <class Keeps, class Hash> void keep(Keeps keeps, Hash hash) {
    const std::uint32_t before = count;
    for (std::uint16_t& number : index) number = 0;
    count = 0;
    for (std::uint32_t i = 0; i < before; ++i) {
      if (!keeps(entries[i])) continue;
      std::uint16_t* const slot = find_slot(index, hash(entries[i]), [](std::uint16_t) { return false; });
      if (!slot) continue;
      entries[count++] = entries[i];
      *slot = static_cast<std::uint16_t>(count);
    }
  }
};

} // namespace andes::monitor
