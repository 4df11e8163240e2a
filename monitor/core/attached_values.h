// Values that the program attaches to its call paths (andes_value): how often, their sum, the smallest, the
// largest and the last, by call path and name.
//
// Invariants:
//  - written by the location's own thread only; an entry is complete before it is counted, so that a reader
//    of the arena never sees half an entry;
//  - memory comes from the budget of the trees; a value for which there is none is counted as lost, never
//    kept in part;
//  - all kept numbers but `sum` are finite: infinities and NaNs are only counted (`not_finite`).
#pragma once
#include <cstdint>

#include "monitor/arena/arena.h"
#include "monitor/core/budget.h"

namespace andes::monitor {

inline constexpr std::uint32_t max_values = 16384; // of a location

struct AttachedValue {
  std::uint32_t node, region; // the call path; the region (ANDES_KIND_VALUE) that holds the value's name
  std::uint64_t count, not_finite;
  double sum, min, max, last;
};

struct AttachedTable {
  AttachedValue* all; // null: none yet
  std::uint32_t* table; // open addressing: (node, region) -> index + 1
  std::uint32_t count;
  std::uint32_t recent; // the entry last used
  std::uint64_t lost;   // values for which there was no room
  Backed backed;
};

/// False: there was no room.
bool attach_value(AttachedTable& values, Budget& memory, std::uint32_t node, std::uint32_t region, double value);

} // namespace andes::monitor
