#include "monitor/core/closed_callers.h"

#include "monitor/core/closed_regions.h"
#include "monitor/core/process.h"
#include "monitor/system/functions.h"
#include "monitor/system/return_address.h"

namespace andes::monitor {
namespace {

constexpr std::uint32_t most_words = 1024; // of the stack, searched at most
constexpr std::uint32_t most_steps = 128;

bool has_room(const ClosedCallers& found) { return found.links < most_links; }

/// Recursion belongs to the first visit: of two links to a region, both behind the first `certain` ones, the outer one
/// counts, and nothing between.
void add(ClosedCallers& found, const Tree& tree, std::uint32_t certain, const Link& link, std::uint32_t region) {
  for (std::uint32_t i = certain; i < found.links && tree.limits.fold_recursion; ++i)
    if (found.region[i] == region) found.links = i;
  found.link[found.links] = link;
  found.region[found.links++] = region;
}

/// Whether the region may make the call.
bool may_make(const KnownCalls& calls, std::uint32_t region, const KnownFrame& call) {
  return may_be_inside(calls, call.address, [region](std::uint32_t other) { return other == region; });
}

/// The region without a visit, if any, that `call` leads to, if it makes the next call, which stands in the function
/// that `call` has led to. A visit may end before the function does: destructors of members are called after that of
/// the class.
std::uint32_t region_between(const Process& process, const KnownCalls& calls, const KnownFrame& call,
                             const KnownFrame& next) {
  std::uint32_t region = 0;
  any_call(calls, call.address, [&](const KnownCall& known) {
    if (known.inside || !may_be_hidden(process.registry.regions[known.region])) return false;
    if (!may_make(calls, known.region, next)) return false;
    if (known.entered && next.function != 0 && known.target() != next.function) return false;
    region = known.region;
    return true;
  });
  if (region == 0) region = hidden_target(process, calls, next.function);
  if (region == 0) region = hidden_target(process, calls, call.target);
  return region != 0 && may_make(calls, region, next) ? region : 0;
}

/// Whether `call` leads to direct recursion of the innermost open visit, which makes the next call: the probe has
/// counted it, without a visit. It belongs to that visit, and so does what it calls.
bool is_recursion_between(const Location& location, const KnownCalls& calls, const KnownFrame& call,
                          const KnownFrame& next) {
  const andes_frame& top = *location.hot->top;
  if (&top == location.bottom || !location.tree.limits.fold_recursion) return false;
  const std::uint32_t open = location.tree.node_at(top.place).region;
  return leads_to(calls, call.address, next.function, open) && may_make(calls, open, next);
}

/// As far as the unwind tables lead. True: to the innermost open visit, or to direct recursion of it.
bool walk(ClosedCallers& found, const Process& process, const Location& location, const KnownCalls& calls,
          KnownFrames& frames, Callers& callers) {
  Budget& memory = *location.tree.memory;
  KnownFrame next = known_frame(frames, callers.frame().address, memory);
  for (std::uint32_t i = 0; i < most_steps && has_room(found); ++i) {
    if (next.rule.is_last) return location.hot->top == location.bottom;
    if (!callers.step(next.rule)) return false;
    if (callers.frame().stack == callers.limit()) return true;
    const KnownFrame call = known_frame(frames, callers.frame().address, memory);
    if (const std::uint32_t region = region_between(process, calls, call, next); region != 0)
      add(found, location.tree, 0, {callers.return_slot(), call.address}, region);
    else if (is_recursion_between(location, calls, call, next)) {
      found.link[found.links] = {callers.return_slot(), call.address};
      found.region[found.links++] = 0;
      found.in_recursion = true;
      return true;
    }
    next = call;
  }
  found.doubtful |= !has_room(found); // more may stand above
  return !has_room(found);
}

/// Whether a call that was not seen yet stands in the code of the innermost open visit's function, so that nothing is
/// between.
bool is_own_call(const KnownCalls& calls, const andes_frame& open, std::uintptr_t call) {
  if (any_call(calls, call, [](const KnownCall& known) { return known.inside; })) return false;
  const std::uintptr_t own = target_of_call(open.caller);
  return own != 0 && function_at(call - 1) == own;
}

enum class Answer { no, yes, doubtful };

/// Whether the call may be made in the closed region, to which another call leads that has this target.
Answer is_made_in(const KnownCalls& calls, std::uintptr_t call, std::uint32_t region, std::uintptr_t target) {
  bool seen = false, here = false;
  any_call(calls, call, [&](const KnownCall& known) {
    seen |= known.inside;
    here |= known.inside && known.region == region;
    return here;
  });
  if (seen) return here ? Answer::yes : Answer::no;
  const std::uintptr_t function = function_at(call - 1);
  return function == 0 || target == function ? Answer::yes : Answer::doubtful;
}

/// Whether the call may be made in the open region, or in a closed one that has no return address of its own there.
bool may_be_below(const Process& process, const KnownCalls& calls, std::uintptr_t call, std::uint32_t open) {
  return may_be_inside(
      calls, call, [&](std::uint32_t region) { return region == open || is_closed(process.registry.regions[region]); });
}

/// Whether both addresses may be of one object: others are not asked for their code, which takes long.
bool are_near(std::uintptr_t a, std::uintptr_t b) {
  constexpr std::uintptr_t most = std::uintptr_t{1} << 26;
  return (a > b ? a - b : b - a) < most;
}

/// The closed region that the call before the address leads to, if it may be the caller of `call`.
std::uint32_t caller_by_word(const Process& process, const KnownCalls& calls, std::uintptr_t address,
                             std::uintptr_t call, bool& doubtful) {
  std::uint32_t region = 0;
  bool is_known = false;
  const auto is_caller = [&](std::uint32_t closed, std::uintptr_t target) {
    const Answer answer = is_made_in(calls, call, closed, target);
    doubtful |= answer == Answer::doubtful;
    return answer == Answer::yes;
  };
  any_call(calls, address, [&](const KnownCall& known) {
    is_known |= !known.inside;
    if (known.inside || !is_closed(process.registry.regions[known.region])) return false;
    if (!is_caller(known.region, known.target())) return false;
    region = known.region;
    return true;
  });
  if (is_known || !are_near(address, call)) return region;
  const std::uintptr_t target = target_of_call(address);
  region = closed_target(process, calls, target);
  return region != 0 && is_caller(region, target) ? region : 0;
}

/// Looks at all words from the frame up in which the call is made.
[[gnu::no_sanitize("address")]] void scan(ClosedCallers& found, const Process& process, const Tree& tree,
                                          const KnownCalls& calls, const Frame& frame, std::uintptr_t entered,
                                          std::uintptr_t open) {
  const std::uint32_t certain = found.links;
  std::uintptr_t call = frame.address;
  const auto* word = reinterpret_cast<const std::uintptr_t*>(frame.stack);
  const auto* end = reinterpret_cast<const std::uintptr_t*>(open) - 1; // the open visit's own return address is there
  if (end > word + most_words) end = word + most_words;
  for (; word < end && has_room(found); ++word) {
    const std::uintptr_t address = unsigned_address(*word);
    const std::uint32_t region = caller_by_word(process, calls, address, call, found.doubtful);
    if (region == 0) continue;
    call = address;
    const auto offset = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(word) - entered);
    add(found, tree, certain, {offset, call}, region);
  }
}

} // namespace

ClosedCallers closed_callers(const Process& process, const Location& location, const KnownCalls& calls,
                             KnownFrames& frames, const Entered& entered) {
  const andes_frame& top = *location.hot->top;
  const std::uintptr_t open = location.stack_low + top.stack;
  ClosedCallers found;
  Callers callers(frames, entered, open, *location.tree.memory);
  if (walk(found, process, location, calls, frames, callers)) return found;
  if (callers.frame().stack == entered.stack && is_own_call(calls, top, entered.caller)) return found;
  const std::uint32_t certain = found.links;
  scan(found, process, location.tree, calls, callers.frame(), entered.stack, open);
  const std::uint32_t region = location.tree.node_at(top.place).region;
  while (&top > location.bottom && found.links > certain &&
         !may_be_below(process, calls, found.link[found.links - 1].address, region))
    found.links--;
  return found;
}

} // namespace andes::monitor
