#include "monitor/system/sampled_callers.h"

#include "monitor/system/functions.h"

namespace andes::monitor {
namespace {

// Whether a call before `address` may be the one by which the function was entered: what jumps lead to, or what is
// called by way of the linker's table, is entered by the call of another.
bool may_have_called(std::uintptr_t address, std::uintptr_t function) {
  if (!follows_call(address)) return false;
  const std::uintptr_t target = target_of_call(address);
  return target == 0 || target == function || function_at(target) != target;
}

} // namespace

// Rules are those of the instruction before an address: before the one behind the counter stands the interrupted one.
SampledCallers::SampledCallers(const CounterSample& sample)
    : sample_(sample), frame_{sample.counter + 1, sample.stack_pointer, sample.base_pointer},
      limit_(sample.stack_pointer + sample.words * sizeof(std::uintptr_t)) {}

std::uintptr_t SampledCallers::next() {
  const FrameRule rule = frame_rule(frame_.address);
  const std::uintptr_t copy = reinterpret_cast<std::uintptr_t>(sample_.stack) - sample_.stack_pointer;
  if (step_out(frame_, rule, limit_, copy)) return frame_.address;
  const std::uintptr_t begin = rule.begin == FrameRule::Begin::base_pointer ? frame_.base : frame_.stack;
  const bool was_cut = begin != 0 && begin + static_cast<std::uintptr_t>(rule.size) > limit_;
  return !rule.is_last && !was_cut && search() ? frame_.address : 0;
}

bool SampledCallers::search() {
  const std::uintptr_t function = function_at(frame_.address - 1);
  for (std::uintptr_t place = frame_.stack; place < limit_; place += sizeof place) {
    const std::uintptr_t address = sample_.stack[(place - sample_.stack_pointer) / sizeof place];
    if (address == 0 || !may_have_called(address, function)) continue;
    frame_ = {address, place + sizeof place, 0};
    return true;
  }
  return false;
}

} // namespace andes::monitor
