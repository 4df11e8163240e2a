#include "monitor/core/known_calls.h"

#include "monitor/core/closed_regions.h"
#include "monitor/core/process.h"
#include "monitor/system/functions.h"

namespace andes::monitor {

namespace {

/// Searches one call of each region that calls to the target lead to for one that each(call) is true for. Returns
/// its slot of the index, or the free slot where the search ended, or `call_slots`.
template <class Each> std::uint32_t slot_of_target(const KnownCalls& calls, std::uintptr_t target, Each each) {
  for (std::uint32_t i = 0, first = hash_of(target); i < most_table_tries; ++i) {
    const std::uint32_t slot = (first + i) % call_slots;
    if (calls.targets[slot] == 0) return slot;
    const KnownCall& call = calls.known.at(calls.targets[slot]);
    if (call.target() == target && each(call)) return slot;
  }
  return call_slots;
}

void learn_target(KnownCalls& calls, std::uint16_t number) {
  const KnownCall& learnt = calls.known.at(number);
  const auto is_of_region = [&](const KnownCall& call) { return call.region == learnt.region; };
  const std::uint32_t slot = slot_of_target(calls, learnt.target(), is_of_region);
  if (slot < call_slots && calls.targets[slot] == 0) calls.targets[slot] = number;
}

} // namespace

void learn(KnownCalls& calls, const KnownCall& learnt, Budget& memory) {
  for (std::uint32_t i = 0, slot = hash_of(learnt.address); i < most_table_tries; ++i) {
    std::uint16_t& number = calls.known.index[(slot + i) % call_slots];
    if (number == 0) {
      KnownCall call = learnt;
      if (const std::uintptr_t target = call.inside ? 0 : target_of_call(call.address); target != 0)
        call.distance = static_cast<std::int32_t>(target - call.address); // fits: the instruction has it so
      calls.known.put(number, call, memory);
      if (number != 0 && call.distance != 0) learn_target(calls, number);
      return;
    }
    const KnownCall& call = calls.known.at(number);
    if (call.address == learnt.address && call.region == learnt.region && call.inside == learnt.inside) return;
  }
}

bool may_be_inside(const KnownCalls& calls, std::uintptr_t call, std::uint32_t region) {
  bool elsewhere = false;
  const bool seen = any_call(calls, call, [&](const KnownCall& known) {
    elsewhere |= known.inside;
    return known.inside && known.region == region;
  });
  return seen || !elsewhere;
}

std::uint32_t closed_target(const Process& process, const KnownCalls& calls, std::uintptr_t address) {
  const std::uintptr_t target = target_of_call(address);
  if (target == 0) return 0;
  const auto leads_to_closed = [&](const KnownCall& call) { return is_closed(process.registry.regions[call.region]); };
  const std::uint32_t slot = slot_of_target(calls, target, leads_to_closed);
  return slot < call_slots && calls.targets[slot] != 0 ? calls.known.at(calls.targets[slot]).region : 0;
}

} // namespace andes::monitor
