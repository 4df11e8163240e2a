// Calls whose regions are known from visits: what they lead to, and what they are made in (hidden_frames.h).
#pragma once
#include <cstdint>

#include "monitor/core/known_inlines.h"
#include "monitor/core/known_table.h"
#include "monitor/core/unloading.h"

namespace andes::monitor {

struct Process;

/// One known call: the region it leads to or, with `inside`, the region that it is made in.
struct KnownCall {
  std::uintptr_t address; // where the call returns to
  std::int32_t distance; // of a call that leads to a region: from there to its target; 0: that is not known
  std::uint32_t region : 30;
  std::uint32_t entered : 1; // the target is the function that has the region's probe, not only that of the instruction
  std::uint32_t inside : 1;

  std::uintptr_t target() const { return distance == 0 ? 0 : address + static_cast<std::intptr_t>(distance); }
};

inline constexpr std::uint32_t call_slots = 8192;

/// All zero is empty.
struct KnownCalls {
  KnownTable<KnownCall, call_slots> known;
  std::uint16_t targets[call_slots]; // a second index, by what calls lead to: one for each target and region
};

/// Calls each(call) for all that is known of the address, until it returns true.
template <class Each> bool any_call(const KnownCalls& calls, std::uintptr_t address, Each each) {
  const std::uint16_t* slot = find_slot(calls.known.index, hash_of(address), [&](std::uint16_t number) {
    const KnownCall& known = calls.known.at(number);
    return known.address == address && each(known);
  });
  return slot && *slot != 0;
}

/// Whether that is known already, or there is no place for it.
bool is_learnt(const KnownCalls& calls, const KnownCall& learnt);

/// Keeps what a visit has shown, if that was not known yet.
void learn(KnownCalls& calls, const KnownCall& learnt, Budget& memory);

/// Forgets calls from or to code that was unloaded.
void forget(KnownCalls& calls, const UnloadedSince& unloaded);

/// Whether the call may be made in a region of which `holds` is true: it was seen in such a one, or in none yet. The
/// stack may still hold return addresses of calls that have returned, so an address alone proves nothing.
template <class Holds> bool may_be_inside(const KnownCalls& calls, std::uintptr_t call, Holds holds) {
  bool elsewhere = false;
  const bool seen = any_call(calls, call, [&](const KnownCall& known) {
    elsewhere |= known.inside;
    return known.inside && holds(known.region);
  });
  return seen || !elsewhere;
}

/// Whether the call leads to the region, whose probe is in the function that begins at `function`.
bool leads_to(const KnownCalls& calls, std::uintptr_t call, std::uintptr_t function, std::uint32_t region);

/// The closed region that calls with this target lead to, as those have shown that were seen while it was open; or one
/// that may be hidden (registry.h). 0: none is known.
std::uint32_t closed_target(const Process& process, const KnownCalls& calls, std::uintptr_t target);
std::uint32_t hidden_target(const Process& process, const KnownCalls& calls, std::uintptr_t target);

/// The closed region of the function itself whose code begins there, as calls have shown: none that was inlined into
/// it, and not `but`.
std::uint32_t closed_region_of(const Process& process, const KnownCalls& calls, const KnownInlines& inlines,
                               std::uintptr_t function, std::uint32_t but);

} // namespace andes::monitor
