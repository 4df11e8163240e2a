// Finds functions that are not worth a probe: their work in a visit is so little that the probe would measure itself,
// or would cost the program more than 1 % by preventing inlining. Pure, as decide.h.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "preprocessor/pipeline.h"
#include "preprocessor/selection.h"

namespace andes::preprocessor {

/// A function of at most so many operations, without loops and without calls of anything but such
/// functions, gets no probe unless a rule of the selection names it. Code of 100 operations without
/// loops mostly takes 10 to 16 ns, and more only if each depends on the previous one; a pair of
/// probes takes 15 to 20 ns, so it would measure itself (docs/decisions/0063). `main` always gets a
/// probe.
constexpr unsigned small_operations = 100;

/// A function marked inline, without loops and of at most so many operations, gets none even if it
/// calls functions that the source does not define, unless it calls MPI or does more than forward to
/// a function with a probe.
/// GCC inlines this much at -O3 without a keyword (max-inline-insns-auto), so the author expects
/// that no call remains; its own part is 2 to 5 ns, a quarter of a pair of probes.
/// The same holds for a template or lambda that only returns the value of an expression: GCC inlines it without a
/// keyword, too, and what it calls is often inlined into it.
constexpr unsigned short_operations = 30;

/// A function that the compiler would inline gets none up to so many operations: the eight instructions of an
/// unmeasured probe are 1 % of them, and the loss of optimisation costs even more.
constexpr unsigned inlined_operations = 1000;

/// Limits of GCC 12's inlining, in operations of the text including functions inlined into it: a function marked inline
/// (its max-inline-insns-single is 70 at -O2, 200 at -O3) and any other (max-inline-insns-auto is 15 and 30). A
/// function that is called from one place, and can be called from nowhere else, is inlined whatever its size.
constexpr unsigned inlined_size_marked = 200, inlined_size_unmarked = 30;

/// A function that calls itself gets none up to so many operations, even if it calls what the source does not define:
/// it does its work in many short visits, and its first caller has a probe.
constexpr unsigned recursive_operations = 300;

/// A function not worth a probe.
struct Small {
  enum class Why {
    small,
    short_inline,
    expression,
    inlined,
    recursive,
    in_loop, // these five: decide_usual.h
    usual,
    containers,
    repeated,
    hands_on
  } why = Why::small;
  unsigned operations = 0; // with those of the functions it calls; `usual`: that have no probe
};

/// Whether all of its work is known, and done in functions without a probe.
constexpr bool is_whole(const Small& small) {
  return small.why == Small::Why::small || small.why == Small::Why::inlined || small.why == Small::Why::in_loop;
}

/// The callers of each function, once for each call that a visit makes.
std::vector<std::vector<unsigned>> callers_of(const std::vector<Function>& functions);

/// The small functions among `functions`. `choices`: the selection's choice for each. Functions in a cycle of
/// calls between several functions are not small, and neither are callers of functions that are not small.
std::vector<std::optional<Small>> small_ones(const std::vector<Function>& functions, const std::vector<Choice>& choices,
                                             const std::vector<std::vector<unsigned>>& callers);

/// For each function, whether it only forwards: a function as short as one that is left out for its keyword or its
/// expression, or a lambda or template of one statement as short, with one call of a function with a probe, and calls
/// of small functions beside it. The called one tells the same time, but for 2 to 5 ns. `has_probe`: as the other rules
/// decide. `kept`: functions that keep it whatever they do. One function of a circle keeps it, too.
std::vector<bool> forwarding(const std::vector<Function>& functions, const std::vector<std::optional<Small>>& small,
                             const std::vector<bool>& has_probe, const std::vector<bool>& kept);

/// The reason as text.
std::string why_small(const Small& small, const Effort& effort);
std::string why_forwarding(const Effort& effort);

} // namespace andes::preprocessor
