#include "monitor/core/call_sites.h"

#include "monitor/core/closed_regions.h"
#include "monitor/core/process.h"
#include "monitor/system/functions.h"

namespace andes::monitor {

namespace {

/// Searches one call of each region that calls to the target lead to for one that each(call site) is true for. Returns
/// its slot of the index, or the free slot where the search ended, or `call_slots`.
template <class Each> std::uint32_t slot_of_target(const CallSites& sites, std::uintptr_t target, Each each) {
  for (std::uint32_t i = 0, first = hash_of(target); i < most_table_tries; ++i) {
    const std::uint32_t slot = (first + i) % call_slots;
    if (sites.targets[slot] == 0) return slot;
    const CallSite& site = sites.known.at(sites.targets[slot]);
    if (site.target() == target && each(site)) return slot;
  }
  return call_slots;
}

void learn_target(CallSites& sites, std::uint16_t number) {
  const CallSite& learnt = sites.known.at(number);
  const auto is_of_region = [&](const CallSite& site) { return site.region == learnt.region; };
  const std::uint32_t slot = slot_of_target(sites, learnt.target(), is_of_region);
  if (slot < call_slots && sites.targets[slot] == 0) sites.targets[slot] = number;
}

} // namespace

void learn(CallSites& sites, const CallSite& learnt, Budget& memory) {
  for (std::uint32_t i = 0, slot = hash_of(learnt.address); i < most_table_tries; ++i) {
    std::uint16_t& number = sites.known.index[(slot + i) % call_slots];
    if (number == 0) {
      CallSite site = learnt;
      if (const std::uintptr_t target = site.inside ? 0 : target_of_call(site.address); target != 0)
        site.distance = static_cast<std::int32_t>(target - site.address); // fits: the instruction has it so
      sites.known.put(number, site, memory);
      if (number != 0 && site.distance != 0) learn_target(sites, number);
      return;
    }
    const CallSite& site = sites.known.at(number);
    if (site.address == learnt.address && site.region == learnt.region && site.inside == learnt.inside) return;
  }
}

bool may_be_inside(const CallSites& sites, std::uintptr_t call, std::uint32_t region) {
  bool elsewhere = false;
  const bool seen = any_call(sites, call, [&](const CallSite& site) {
    elsewhere |= site.inside;
    return site.inside && site.region == region;
  });
  return seen || !elsewhere;
}

std::uint32_t closed_target(const Process& process, const CallSites& sites, std::uintptr_t address) {
  const std::uintptr_t target = target_of_call(address);
  if (target == 0) return 0;
  const auto leads_to_closed = [&](const CallSite& site) { return is_closed(process.registry.regions[site.region]); };
  const std::uint32_t slot = slot_of_target(sites, target, leads_to_closed);
  return slot < call_slots && sites.targets[slot] != 0 ? sites.known.at(sites.targets[slot]).region : 0;
}

} // namespace andes::monitor
