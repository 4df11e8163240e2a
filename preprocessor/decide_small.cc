// Works from the leaves of the call graph upwards: a function is judged when all its callees have turned out to be
// small; the others are never judged.
#include "preprocessor/decide_small.h"

#include <algorithm>

#include <fmt/core.h>

namespace andes::preprocessor {
namespace {

/// A function with those of its callees that have been judged.
struct Sum {
  std::size_t operations = 0;
  std::size_t size = 0;      // of its text, as `Effort::size`
  std::size_t waits_for = 0; // calls of functions that have not been judged
  std::size_t places = 0;    // calls of it in the text of the source
  bool unseen = false;       // calls functions that the source does not define, or of unknown length
};

/// Whether GCC would inline it where it has no probe.
bool would_be_inlined(const Effort& effort, const Sum& sum) {
  if (effort.is_virtual) return false;
  if (effort.local && sum.places <= 1) return true;
  return (effort.marked_inline && sum.size <= inlined_size_marked) ||
         ((effort.local || effort.is_template) && sum.size <= inlined_size_unmarked);
}

std::optional<Small> small_one(unsigned index, const Effort& effort, const Sum& sum) {
  if (effort.mpi || effort.loops || (effort.scans && !effort.marked_inline)) return std::nullopt;
  const auto operations = unsigned(sum.operations);
  if (std::ranges::find(effort.calls, index) != effort.calls.end() && !effort.constructs)
    return operations <= recursive_operations ? std::optional<Small>({Small::Why::recursive, operations})
                                              : std::nullopt;
  if (!sum.unseen && operations <= small_operations) return Small{Small::Why::small, operations};
  if (effort.marked_inline && operations <= short_operations) return Small{Small::Why::short_inline, operations};
  if (effort.expression && operations <= short_operations) return Small{Small::Why::expression, operations};
  if (!sum.unseen && operations <= inlined_operations && would_be_inlined(effort, sum))
    return Small{Small::Why::inlined, operations};
  return std::nullopt;
}

std::string in_words(unsigned operations) {
  return fmt::format("{} operation{}", operations, operations == 1 ? "" : "s");
}

/// The function with a probe that a function with this effort calls, if it only forwards.
std::optional<unsigned> only_call(const Effort& effort, const std::vector<std::optional<Small>>& small,
                                  const std::vector<bool>& has_probe) {
  const bool is_short = effort.marked_inline || effort.expression || effort.statement;
  if (!is_short || effort.loops || effort.scans || effort.constructs || effort.unseen) return std::nullopt;
  std::optional<unsigned> found;
  auto operations = effort.operations;
  for (const unsigned callee : effort.calls) {
    if (small[callee]) {
      if (small[callee]->why == Small::Why::recursive || small[callee]->why == Small::Why::usual ||
          small[callee]->why == Small::Why::repeated || small[callee]->why == Small::Why::hands_on)
        return std::nullopt;
      operations += small[callee]->operations;
      continue;
    }
    if (found || !has_probe[callee]) return std::nullopt;
    found = callee;
  }
  return operations <= short_operations ? found : std::nullopt;
}

} // namespace

std::vector<std::vector<unsigned>> callers_of(const std::vector<Function>& functions) {
  std::vector<std::vector<unsigned>> callers(functions.size());
  for (unsigned i = 0; i < functions.size(); ++i)
    for (const unsigned callee : functions[i].effort.calls) callers[callee].push_back(i);
  return callers;
}

std::vector<std::optional<Small>> small_ones(const std::vector<Function>& functions, const std::vector<Choice>& choices,
                                             const std::vector<std::vector<unsigned>>& callers) {
  std::vector<std::optional<Small>> small(functions.size());
  std::vector<Sum> sums(functions.size());
  std::vector<std::vector<unsigned>> in_text_of(functions.size()); // callers, once for each call in their text
  std::vector<unsigned> ready;
  for (unsigned i = 0; i < functions.size(); ++i) {
    const Effort& effort = functions[i].effort;
    sums[i].operations = effort.operations;
    sums[i].size = effort.size;
    sums[i].unseen = effort.unseen;
    sums[i].waits_for = effort.calls.size() - std::size_t(std::ranges::count(effort.calls, i));
    for (const unsigned callee : effort.places) {
      in_text_of[callee].push_back(i);
      ++sums[callee].places;
    }
    if (sums[i].waits_for == 0) ready.push_back(i);
  }
  while (!ready.empty()) {
    const unsigned at = ready.back();
    ready.pop_back();
    if (choices[at] == Choice::include || functions[at].is_main) continue;
    small[at] = small_one(at, functions[at].effort, sums[at]);
    if (!small[at]) continue;
    const bool unseen = sums[at].unseen || small[at]->why == Small::Why::recursive;
    for (const unsigned caller : in_text_of[at]) sums[caller].size += sums[at].size;
    for (const unsigned caller : callers[at]) {
      if (caller == at) continue;
      sums[caller].operations += sums[at].operations;
      sums[caller].unseen = sums[caller].unseen || unseen;
      if (--sums[caller].waits_for == 0) ready.push_back(caller);
    }
  }
  return small;
}

std::vector<bool> forwarding(const std::vector<Function>& functions, const std::vector<std::optional<Small>>& small,
                             const std::vector<bool>& has_probe, const std::vector<bool>& kept) {
  std::vector<std::optional<unsigned>> next(functions.size());
  for (unsigned i = 0; i < functions.size(); ++i)
    if (has_probe[i] && !kept[i]) next[i] = only_call(functions[i].effort, small, has_probe);
  // Each function that forwards leads to one other: a walk ends at one that does not forward, at one of an earlier
  // walk, or closes a circle.
  std::vector<unsigned> walk_of(functions.size());
  for (unsigned i = 0, walk = 1; i < functions.size(); ++i, ++walk) {
    unsigned at = i;
    for (; next[at] && walk_of[at] == 0; at = *next[at]) walk_of[at] = walk;
    if (next[at] && walk_of[at] == walk) next[at].reset();
  }
  std::vector<bool> forwards(functions.size());
  for (unsigned i = 0; i < functions.size(); ++i) forwards[i] = next[i].has_value();
  return forwards;
}

std::string why_forwarding(const Effort& effort) {
  return fmt::format("only forwards to a function with a probe ({})", in_words(effort.operations));
}

std::string why_small(const Small& small, const Effort& effort) {
  const std::string operations = in_words(small.operations);
  const char* loops = effort.scans ? "short searches" : effort.counted ? "loops of known length" : "no loops";
  switch (small.why) {
  case Small::Why::small:
    return fmt::format("small ({}, {}, {})", operations, loops,
                       effort.calls.empty() ? "no calls" : "calls only small functions");
  case Small::Why::short_inline: return fmt::format("marked inline and short ({}, {}, no MPI)", operations, loops);
  case Small::Why::expression: return fmt::format("only returns a short expression ({})", operations);
  case Small::Why::inlined: return fmt::format("the compiler would inline it ({}, {})", operations, loops);
  case Small::Why::in_loop: return fmt::format("short for the loops that call it ({} expected)", operations);
  case Small::Why::usual:
    return fmt::format("usually short ({}, calls longer functions in some visits only)", operations);
  case Small::Why::containers:
    return fmt::format("short ({}, {}, calls short functions and containers)", operations, loops);
  case Small::Why::repeated: return "called in one loop alone, by a function that tells the same time";
  case Small::Why::hands_on:
    return fmt::format("only hands on to a function that tells the same time, in a loop ({})", operations);
  case Small::Why::recursive: return fmt::format("calls itself and is short ({} in a visit)", operations);
  }
  return "";
}

} // namespace andes::preprocessor
