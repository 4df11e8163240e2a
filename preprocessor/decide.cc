// Decisions: obstacles first, then tail calls in cycles, then the user's selection, then what is
// too small. The order is that of what can be changed least.
#include "preprocessor/decide.h"

#include <algorithm>
#include <optional>

#include <fmt/core.h>

namespace andes {

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

namespace {

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

/// A function not worth a probe.
struct Small {
  unsigned operations = 0;   // with those of the functions it calls
  bool calls_unseen = false; // marked inline, and calls what the source does not define
};

/// By function: who calls it.
std::vector<std::vector<unsigned>> callers_of(const std::vector<Function>& functions) {
  std::vector<std::vector<unsigned>> callers(functions.size());
  for (unsigned i = 0; i < functions.size(); ++i)
    for (const unsigned callee : functions[i].effort.calls) callers[callee].push_back(i);
  return callers;
}

/// The small functions among `functions`. Works from the leaves upwards: what calls a function that
/// is not small is not small either, and no cycle of calls ever is.
std::vector<std::optional<Small>> small_ones(const std::vector<Function>& functions,
                                             const std::vector<Choice>& choices,
                                             const std::vector<std::vector<unsigned>>& callers) {
  std::vector<std::optional<Small>> small(functions.size());
  std::vector<std::size_t> operations(functions.size()), waits_for(functions.size());
  std::vector<bool> calls_unseen(functions.size());
  std::vector<unsigned> ready;
  for (unsigned i = 0; i < functions.size(); ++i) {
    const Effort& effort = functions[i].effort;
    operations[i] = effort.operations;
    calls_unseen[i] = effort.unseen;
    waits_for[i] = effort.calls.size();
    if (effort.calls.empty()) ready.push_back(i);
  }
  while (!ready.empty()) {
    const unsigned at = ready.back();
    ready.pop_back();
    const Effort& effort = functions[at].effort;
    const bool may_call_unseen = effort.marked_inline && operations[at] <= short_operations;
    if (effort.loops || effort.mpi || (calls_unseen[at] && !may_call_unseen) ||
        choices[at] == Choice::include || operations[at] > small_operations ||
        functions[at].name == "main")
      continue; // nor are its callers small: they wait for ever
    small[at] = Small{unsigned(operations[at]), calls_unseen[at]};
    for (const unsigned caller : callers[at]) {
      operations[caller] += operations[at];
      calls_unseen[caller] = calls_unseen[caller] || calls_unseen[at];
      if (--waits_for[caller] == 0) ready.push_back(caller);
    }
  }
  return small;
}

/// Functions that call MPI, or such a function of the source.
std::vector<bool> ways_to_mpi(const std::vector<Function>& functions,
                              const std::vector<std::vector<unsigned>>& callers) {
  std::vector<unsigned> open;
  for (unsigned i = 0; i < functions.size(); ++i)
    if (functions[i].effort.mpi) open.push_back(i);
  std::vector<bool> leads(functions.size());
  while (!open.empty()) {
    const unsigned at = open.back();
    open.pop_back();
    if (leads[at]) continue;
    leads[at] = true;
    open.insert(open.end(), callers[at].begin(), callers[at].end());
  }
  return leads;
}

std::string why_small(const Small& small, const Effort& effort) {
  const std::string operations =
      fmt::format("{} operation{}", small.operations, small.operations == 1 ? "" : "s");
  const char* loops = effort.counted ? "loops of known length" : "no loops";
  return small.calls_unseen
             ? fmt::format("marked inline and short ({}, {}, no MPI)", operations, loops)
             : fmt::format("small ({}, {}, {})", operations, loops,
                           effort.calls.empty() ? "no calls" : "calls small ones only");
}

} // namespace

std::vector<std::string> names_of(const Function& function) {
  if (function.signature.empty() || function.signature == function.name) return {function.name};
  return {function.name, function.signature};
}

bool must_jump(const std::vector<Function>& functions, unsigned index) {
  return functions[index].dispatches || calls_last_in_a_cycle(functions, index);
}

std::vector<Decision> decide(const std::vector<Function>& functions, const Selection& selection,
                             Care care) {
  std::vector<Choice> choices;
  for (const Function& function : functions)
    choices.push_back(choose(selection, names_of(function), function.file, function.mangled));
  const std::vector<std::vector<unsigned>> callers = callers_of(functions);
  const std::vector<std::optional<Small>> small = small_ones(functions, choices, callers);
  const std::vector<bool> to_mpi = ways_to_mpi(functions, callers);
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
      why_not = why_small(*small[index], function.effort);
    if (why_not.empty() && function.effort.always_inline && !to_mpi[index] &&
        choices[index] != Choice::include)
      why_not = "always_inline: its code and its time are its caller's";
    decisions[index] = {why_not.empty(), why_not, std::nullopt};
    if (small[index] && !small[index]->calls_unseen)
      decisions[index].operations = small[index]->operations;
  }
  return decisions;
}

} // namespace andes
