#include "monitor/core/known_frames.h"

#include "monitor/system/functions.h"
#include "monitor/system/return_address.h"

namespace andes::monitor {
namespace {

struct Probe {
  std::uintptr_t address, base; // in the function that has it, and the base pointer of its caller; all 0: not found
};

[[gnu::noinline, gnu::no_sanitize("address")]] Probe find_probe(KnownFrames& frames, const Entered& entered,
                                                                Budget& memory) {
  constexpr int most_steps = 24;
  const auto* own = static_cast<const std::uintptr_t*>(__builtin_frame_address(0));
  Frame frame = {unsigned_address(own[1]), reinterpret_cast<std::uintptr_t>(__builtin_dwarf_cfa()), own[0]};
  for (int i = 0; i < most_steps && frame.stack < entered.stack; ++i) {
    const std::uintptr_t address = frame.address;
    if (!step_out(frame, known_frame(frames, address, memory).rule, entered.stack)) break;
    if (frame.stack == entered.stack && frame.address == entered.caller) return {address, frame.base};
  }
  return {};
}

} // namespace

KnownFrame known_frame(KnownFrames& frames, std::uintptr_t address, Budget& memory) {
  std::uint16_t* slot = find_slot(frames.index, hash_of(address),
                                  [&](std::uint16_t number) { return frames.at(number).address == address; });
  if (slot && *slot != 0) return frames.at(*slot);
  const KnownFrame frame = {address, function_at(address - 1), target_of_call(address), frame_rule(address)};
  if (slot) frames.put(*slot, frame, memory);
  return frame;
}

void forget(KnownFrames& frames, const UnloadedSince& unloaded) {
  frames.keep([&](const KnownFrame& frame) { return !unloaded.holds(frame.address) && !unloaded.holds(frame.target); },
              [](const KnownFrame& frame) { return hash_of(frame.address); });
}

bool Callers::step(const FrameRule& rule) {
  if (rule.begin == FrameRule::Begin::base_pointer && !has_own_base_) {
    frame_.base = find_probe(frames_, entered_, memory_).base;
    has_own_base_ = true;
  }
  has_own_base_ |= rule.base != FrameRule::Base::unchanged;
  if (!step_out(frame_, rule, limit_)) return false;
  return_place_ = frame_.stack + static_cast<std::uintptr_t>(rule.returns); // at the frame's end on x86, not on AArch64
  return true;
}

ProbePlace place_of_probe(KnownFrames& frames, const Entered& entered, Budget& memory) {
  const Probe probe = find_probe(frames, entered, memory);
  return {probe.address, probe.address == 0 ? 0 : known_frame(frames, probe.address, memory).function};
}

std::uintptr_t function_of_probe(KnownFrames& frames, const Entered& entered, Budget& memory) {
  return place_of_probe(frames, entered, memory).function;
}

} // namespace andes::monitor
