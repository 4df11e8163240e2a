#include "monitor/core/known_inlines.h"

namespace andes::monitor {
namespace {

bool is_within(const KnownInlines& inlines, std::uintptr_t function, std::uint32_t region, std::uint32_t outer) {
  for (NestedRegions inside; region != 0 && inside.count < NestedRegions::most;) {
    if (region == outer) return true;
    inside.region[inside.count++] = region;
    region = around_region(inlines, region, function, inside);
  }
  return false;
}

} // namespace

bool NestedRegions::has(std::uint32_t one) const {
  for (std::uint32_t i = 0; i < count; ++i)
    if (region[i] == one) return true;
  return false;
}

bool learn(KnownInlines& inlines, const KnownInline& learnt, Budget& memory) {
  if (learnt.probe == 0 || learnt.function == 0 || learnt.region == learnt.around) return false;
  std::uint16_t* slot = find_slot(inlines.index, hash_of(learnt.region),
                                  [&](std::uint16_t number) { return inlines.at(number).probe == learnt.probe; });
  if (!slot) return false;
  if (*slot != 0) {
    const std::uint32_t around = inlines.at(*slot).around;
    if (learnt.around == around || !is_within(inlines, learnt.function, learnt.around, around)) return false;
  }
  inlines.put(*slot, learnt, memory);
  return *slot != 0;
}

void forget(KnownInlines& inlines, const UnloadedSince& unloaded) {
  inlines.keep([&](const KnownInline& known) { return !unloaded.holds(known.probe); },
               [](const KnownInline& known) { return hash_of(known.region); });
}

bool is_inlined(const KnownInlines& inlines, std::uint32_t region) {
  return any_probe(inlines, region, [](const KnownInline&) { return true; });
}

bool is_inlined(const KnownInlines& inlines, std::uint32_t region, std::uint32_t around) {
  return any_probe(inlines, region, [&](const KnownInline& known) { return known.around == around; });
}

std::uint32_t around_probe(const KnownInlines& inlines, std::uint32_t region, std::uintptr_t probe) {
  std::uint32_t around = 0;
  any_probe(inlines, region, [&](const KnownInline& known) {
    if (known.probe == probe) around = known.around;
    return around != 0;
  });
  return around;
}

std::uint32_t around_region(const KnownInlines& inlines, std::uint32_t region, std::uintptr_t function,
                            const NestedRegions& inside) {
  std::uint32_t around = 0;
  const bool differ = any_probe(inlines, region, [&](const KnownInline& known) {
    if (known.function != function || inside.has(known.around)) return false;
    if (around != 0 && around != known.around) return true;
    around = known.around;
    return false;
  });
  return differ ? 0 : around;
}

} // namespace andes::monitor
