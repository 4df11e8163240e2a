// Decisions: obstacles first, then tail calls in cycles, then the user's selection, then what is
// too small. The order is that of what can be changed least.
#include "preprocessor/decide.h"

#include <algorithm>
#include <optional>

#include <fmt/core.h>

namespace andes {
namespace {

const char* reason(Obstacle obstacle) {
  switch (obstacle) {
  case Obstacle::none:
    return "";
  case Obstacle::constant:
    return "constexpr or consteval";
  case Obstacle::constant_lambda:
    return "lambda that a constant expression may call";
  case Obstacle::coroutine:
    return "coroutine";
  case Obstacle::macro:
    return "body inside a macro expansion";
  case Obstacle::naked:
    return "naked";
  case Obstacle::no_instrument:
    return "no_instrument_function";
  case Obstacle::vfork:
    return "calls vfork";
  case Obstacle::ifunc_resolver:
    return "resolver of an ifunc";
  case Obstacle::musttail:
    return "musttail call";
  case Obstacle::target:
    return "compiled for a target of its own";
  case Obstacle::device:
    return "device code";
  case Obstacle::declare_simd:
    return "declare simd";
  case Obstacle::interrupt:
    return "interrupt handler";
  case Obstacle::allocator:
    return "memory allocator or dynamic linker function";
  case Obstacle::defaulted:
    return "defaulted";
  case Obstacle::deleted:
    return "deleted";
  }
  return "";
}

/// Whether a chain of calls leads from `from` to `to`.
bool reaches(const std::vector<Function>& functions, unsigned from, unsigned to) {
  std::vector<bool> seen(functions.size());
  std::vector<unsigned> open{from};
  while (!open.empty()) {
    const unsigned at = open.back();
    open.pop_back();
    if (at == to) return true;
    if (seen[at]) continue;
    seen[at] = true;
    open.insert(open.end(), functions[at].calls.begin(), functions[at].calls.end());
  }
  return false;
}

bool calls_last_in_a_cycle(const std::vector<Function>& functions, unsigned index) {
  return std::ranges::any_of(functions[index].tail_calls,
                             [&](unsigned callee) { return reaches(functions, callee, index); });
}

/// The operations of each small function, with those of the functions it calls; 0 to
/// small_operations. Works from the leaves upwards, so that no cycle of calls is ever small.
std::vector<std::optional<unsigned>> small_ones(const std::vector<Function>& functions,
                                                const std::vector<Choice>& choices) {
  std::vector<std::optional<unsigned>> small(functions.size());
  std::vector<std::size_t> operations(functions.size()), waits_for(functions.size());
  std::vector<std::vector<unsigned>> callers(functions.size());
  std::vector<unsigned> ready;
  for (unsigned i = 0; i < functions.size(); ++i) {
    const Effort& effort = functions[i].effort;
    operations[i] = effort.operations;
    waits_for[i] = effort.calls.size();
    for (const unsigned callee : effort.calls) callers[callee].push_back(i);
    if (effort.calls.empty()) ready.push_back(i);
  }
  while (!ready.empty()) {
    const unsigned at = ready.back();
    ready.pop_back();
    const Function& function = functions[at];
    if (function.effort.loops || function.effort.unseen || choices[at] == Choice::include ||
        operations[at] > small_operations || function.name == "main")
      continue; // nor are its callers small: they wait for ever
    small[at] = unsigned(operations[at]);
    for (const unsigned caller : callers[at]) {
      operations[caller] += operations[at];
      if (--waits_for[caller] == 0) ready.push_back(caller);
    }
  }
  return small;
}

std::string why_small(unsigned operations, bool calls) {
  return fmt::format("small ({} operation{}, no loops, {})", operations, operations == 1 ? "" : "s",
                     calls ? "calls small ones only" : "no calls");
}

} // namespace

std::vector<Decision> decide(const std::vector<Function>& functions, const Selection& selection,
                             Care care) {
  std::vector<Choice> choices;
  for (const Function& function : functions)
    choices.push_back(choose(selection, function.name, function.file));
  const std::vector<std::optional<unsigned>> small = small_ones(functions, choices);
  std::vector<Decision> decisions(functions.size());
  for (unsigned index = 0; index < functions.size(); ++index) {
    const Function& function = functions[index];
    std::string why_not = reason(function.obstacle);
    if (why_not.empty() && care == Care::careful && function.maybe_constant)
      why_not = "lambda that may be constexpr";
    if (why_not.empty() && calls_last_in_a_cycle(functions, index))
      why_not = "tail call in a cycle of calls";
    if (why_not.empty() && function.dispatches)
      why_not = "tail call through a pointer to functions of its own type";
    if (why_not.empty() && choices[index] == Choice::exclude) why_not = "not selected";
    if (why_not.empty() && small[index])
      why_not = why_small(*small[index], !function.effort.calls.empty());
    decisions[index] = {why_not.empty(), why_not};
  }
  return decisions;
}

} // namespace andes
