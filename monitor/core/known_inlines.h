// Regions whose functions the compiler has inlined: the code of one function holds the probes of several, and the visit
// of the inner one has no return address of its own. What the probe of one stands in is learnt from visits in one frame
// (hidden_frames.h), since a closed region around another one leaves no trace on the stack (decision 312).
//
// A probe is known by the address in the code from which it calls the monitor: a function that is inlined twice has
// two.
// A call in a region says which region makes it, not by which of several probes: what is around is then known if all
// probes of the region in that code are in the same one.
#pragma once
#include <cstdint>

#include "monitor/core/known_table.h"
#include "monitor/core/unloading.h"

namespace andes::monitor {

struct KnownInline {
  std::uintptr_t probe; // its address
  std::uintptr_t function; // whose code it is in
  std::uint32_t region; // of the probe
  std::uint32_t around; // the region around
};

inline constexpr std::uint32_t inline_slots = 1024;

/// All zero is empty.
using KnownInlines = KnownTable<KnownInline, inline_slots>;

/// Keeps what visits in one frame have shown. Of two answers the inner region counts: the outer one was seen while that
/// was closed. True: something new.
bool learn(KnownInlines& inlines, const KnownInline& learnt, Budget& memory);

/// Forgets probes in code that was unloaded.
void forget(KnownInlines& inlines, const UnloadedSince& unloaded);

/// Whether any probe of the region is known to stand in code of another one; of that one.
bool is_inlined(const KnownInlines& inlines, std::uint32_t region);
bool is_inlined(const KnownInlines& inlines, std::uint32_t region, std::uint32_t around);

/// Calls each(known) for the known probes of the region, until it returns true.
template <class Each> bool any_probe(const KnownInlines& inlines, std::uint32_t region, Each each) {
  const std::uint16_t* slot = find_slot(inlines.index, hash_of(region), [&](std::uint16_t number) {
    const KnownInline& known = inlines.at(number);
    return known.region == region && each(known);
  });
  return slot && *slot != 0;
}

/// The region around the probe; 0: none is known.
std::uint32_t around_probe(const KnownInlines& inlines, std::uint32_t region, std::uintptr_t probe);

/// Regions one in another, the innermost first.
struct NestedRegions {
  static constexpr std::uint32_t most = 8;

  std::uint32_t count = 0;
  std::uint32_t region[most];

  bool has(std::uint32_t one) const;
};

/// The region around all known probes of this one in the function's code; 0: there are none, or several regions. Those
/// that are `inside` of it here do not count: they are around another probe of it, which is recursion.
std::uint32_t around_region(const KnownInlines& inlines, std::uint32_t region, std::uintptr_t function,
                            const NestedRegions& inside);

} // namespace andes::monitor
