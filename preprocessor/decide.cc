// Decisions: obstacles first, then tail calls in cycles, then the user's selection, then what is
// too small. The reason that is hardest to change comes first.
#include "preprocessor/decide.h"

#include <algorithm>
#include <optional>

#include "preprocessor/cycles.h"
#include "preprocessor/decide_small.h"
#include "preprocessor/decide_usual.h"

namespace andes::preprocessor {

const char* reason(Obstacle obstacle) {
  switch (obstacle) {
  case Obstacle::none: return "";
  case Obstacle::constant: return "constexpr or consteval";
  case Obstacle::constant_lambda: return "lambda that a constant expression may call";
  case Obstacle::coroutine: return "coroutine";
  case Obstacle::macro: return "body inside a macro expansion";
  case Obstacle::naked: return "naked";
  case Obstacle::no_instrument: return "no_instrument_function";
  case Obstacle::vfork: return "calls vfork";
  case Obstacle::ifunc_resolver: return "resolver of an ifunc";
  case Obstacle::musttail: return "musttail call";
  case Obstacle::target: return "compiled for another target";
  case Obstacle::device: return "device code";
  case Obstacle::declare_simd: return "declare simd";
  case Obstacle::interrupt: return "interrupt handler";
  case Obstacle::allocator: return "memory allocator or dynamic linker function";
  case Obstacle::defaulted: return "defaulted";
  case Obstacle::deleted: return "deleted";
  case Obstacle::no_status: return "may end without its value, the exit status";
  case Obstacle::pure: return "pure or elemental";
  }
  return "";
}

namespace {

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

/// Takes the probes from functions that only forward to one with a probe.
void leave_out_forwarding(const std::vector<Function>& functions, const std::vector<Choice>& choices,
                          const std::vector<std::optional<Small>>& small, const std::vector<bool>& to_mpi,
                          std::vector<Decision>& decisions) {
  std::vector<bool> has_probe(functions.size()), kept(to_mpi);
  for (unsigned i = 0; i < functions.size(); ++i) {
    has_probe[i] = decisions[i].probe;
    if (choices[i] == Choice::include || functions[i].is_main) kept[i] = true;
  }
  const std::vector<bool> forwards = forwarding(functions, small, has_probe, kept);
  for (unsigned i = 0; i < functions.size(); ++i)
    if (forwards[i]) decisions[i] = {false, why_forwarding(functions[i].effort), std::nullopt};
}

} // namespace

std::vector<std::string> names_of(const Function& function) {
  if (function.signature.empty() || function.signature == function.name) return {function.name};
  return {function.name, function.signature};
}

std::vector<bool> must_jump(const std::vector<Function>& functions) {
  std::vector<bool> result = call_last_in_cycles(functions);
  for (unsigned i = 0; i < functions.size(); ++i)
    if (functions[i].dispatches) result[i] = true;
  return result;
}

std::vector<Decision> decide(const std::vector<Function>& functions, const Selection& selection, Care care) {
  std::vector<Choice> choices;
  for (const Function& function : functions)
    choices.push_back(choose(selection, names_of(function), function.file, function.mangled));
  const std::vector<std::vector<unsigned>> callers = callers_of(functions);
  std::vector<std::optional<Small>> small = small_ones(functions, choices, callers);
  const std::vector<bool> to_mpi = ways_to_mpi(functions, callers);
  add_usually_short(functions, choices, to_mpi, small);
  const std::vector<bool> last_in_cycle = call_last_in_cycles(functions);
  std::vector<Decision> decisions(functions.size());
  for (unsigned index = 0; index < functions.size(); ++index) {
    const Function& function = functions[index];
    std::string why_not = reason(function.obstacle);
    if (why_not.empty() && care == Care::careful && function.maybe_constant) why_not = "lambda that may be constexpr";
    if (why_not.empty() && last_in_cycle[index]) why_not = "tail call in a cycle of calls";
    if (why_not.empty() && function.dispatches) why_not = "tail call through a pointer to functions of its own type";
    if (why_not.empty() && choices[index] == Choice::exclude) why_not = "not selected";
    if (why_not.empty() && small[index]) why_not = why_small(*small[index], function.effort);
    if (why_not.empty() && function.effort.always_inline && !to_mpi[index] && choices[index] != Choice::include)
      why_not = "always_inline: its code and time belong to its caller";
    decisions[index] = {why_not.empty(), why_not, std::nullopt};
    if (small[index] && is_whole(*small[index])) decisions[index].operations = small[index]->operations;
  }
  leave_out_forwarding(functions, choices, small, to_mpi, decisions);
  return decisions;
}

} // namespace andes::preprocessor
