#include "monitor/core/known_calls.h"

#include "monitor/core/closed_regions.h"
#include "monitor/core/process.h"

namespace andes::monitor {

namespace {

void learn_target(KnownCalls& calls, std::uint16_t number) {
  const KnownCall& learnt = calls.known.at(number);
  std::uint16_t* slot = find_slot(calls.targets, hash_of(learnt.target()), [&](std::uint16_t other) {
    const KnownCall& call = calls.known.at(other);
    return call.target() == learnt.target() && call.region == learnt.region;
  });
  if (slot && *slot == 0) *slot = number;
}

template <class Calls> auto* slot_to_learn(Calls& calls, const KnownCall& learnt) {
  return find_slot(calls.known.index, hash_of(learnt.address), [&](std::uint16_t number) {
    const KnownCall& call = calls.known.at(number);
    return call.address == learnt.address && call.region == learnt.region && call.inside == learnt.inside;
  });
}

} // namespace

bool is_learnt(const KnownCalls& calls, const KnownCall& learnt) {
  const std::uint16_t* slot = slot_to_learn(calls, learnt);
  return !slot || *slot != 0;
}

void learn(KnownCalls& calls, const KnownCall& learnt, Budget& memory) {
  std::uint16_t* slot = slot_to_learn(calls, learnt);
  if (!slot || *slot != 0) return;
  calls.known.put(*slot, learnt, memory);
  if (*slot != 0 && learnt.distance != 0) learn_target(calls, *slot);
}

void forget(KnownCalls& calls, const UnloadedSince& unloaded) {
  calls.known.keep(
      [&](const KnownCall& call) {
        const bool leads_anywhere = !call.inside && call.distance == 0; // too far away: perhaps into what is gone
        return !leads_anywhere && !unloaded.holds(call.address) && !unloaded.holds(call.target());
      },
      [](const KnownCall& call) { return hash_of(call.address); });
  for (std::uint16_t& number : calls.targets) number = 0;
  for (std::uint32_t number = 1; number <= calls.known.count; ++number)
    if (calls.known.at(static_cast<std::uint16_t>(number)).distance != 0)
      learn_target(calls, static_cast<std::uint16_t>(number));
}

namespace {

template <class May> std::uint32_t region_at(const KnownCalls& calls, std::uintptr_t target, May may_be) {
  if (target == 0) return 0;
  const std::uint16_t* slot = find_slot(calls.targets, hash_of(target), [&](std::uint16_t number) {
    const KnownCall& call = calls.known.at(number);
    return call.target() == target && may_be(call.region);
  });
  return slot && *slot != 0 ? calls.known.at(*slot).region : 0;
}

} // namespace

bool leads_to(const KnownCalls& calls, std::uintptr_t call, std::uintptr_t function, std::uint32_t region) {
  if (function == 0) return false;
  const bool by_call = any_call(calls, call, [&](const KnownCall& known) {
    return !known.inside && known.region == region && known.target() == function;
  });
  return by_call || region_at(calls, function, [region](std::uint32_t known) { return known == region; }) == region;
}

std::uint32_t closed_target(const Process& process, const KnownCalls& calls, std::uintptr_t target) {
  return region_at(calls, target, [&](std::uint32_t region) { return is_closed(process.registry.regions[region]); });
}

std::uint32_t hidden_target(const Process& process, const KnownCalls& calls, std::uintptr_t target) {
  return region_at(calls, target,
                   [&](std::uint32_t region) { return may_be_hidden(process.registry.regions[region]); });
}

std::uint32_t closed_region_of(const Process& process, const KnownCalls& calls, const KnownInlines& inlines,
                               std::uintptr_t function, std::uint32_t but) {
  return region_at(calls, function, [&](std::uint32_t region) {
    if (region == but || !is_closed(process.registry.regions[region])) return false;
    // A function that the compiler has inlined into what it has inlined into it is its own, too.
    return !any_probe(inlines, region, [&](const KnownInline& known) {
      return known.function == function && !is_inlined(inlines, known.around, region);
    });
  });
}

} // namespace andes::monitor
