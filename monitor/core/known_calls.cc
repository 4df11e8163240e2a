#include "monitor/core/known_calls.h"

#include "monitor/core/closed_regions.h"
#include "monitor/core/process.h"
#include "monitor/system/functions.h"

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

} // namespace

void learn(KnownCalls& calls, const KnownCall& learnt, Budget& memory) {
  std::uint16_t* slot = find_slot(calls.known.index, hash_of(learnt.address), [&](std::uint16_t number) {
    const KnownCall& call = calls.known.at(number);
    return call.address == learnt.address && call.region == learnt.region && call.inside == learnt.inside;
  });
  if (!slot || *slot != 0) return;
  KnownCall call = learnt;
  if (const std::uintptr_t target = call.inside ? 0 : target_of_call(call.address); target != 0)
    call.distance = static_cast<std::int32_t>(target - call.address); // fits: the instruction has it so
  calls.known.put(*slot, call, memory);
  if (*slot != 0 && call.distance != 0) learn_target(calls, *slot);
}

std::uint32_t closed_target(const Process& process, const KnownCalls& calls, std::uintptr_t address) {
  const std::uintptr_t target = target_of_call(address);
  if (target == 0) return 0;
  const std::uint16_t* slot = find_slot(calls.targets, hash_of(target), [&](std::uint16_t number) {
    const KnownCall& call = calls.known.at(number);
    return call.target() == target && is_closed(process.registry.regions[call.region]);
  });
  return slot && *slot != 0 ? calls.known.at(*slot).region : 0;
}

} // namespace andes::monitor
