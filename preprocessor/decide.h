// Decides which functions get a probe. Pure: functions and selection in, decisions out.
#pragma once
#include <vector>

#include "preprocessor/pipeline.h"
#include "preprocessor/selection.h"

namespace andes {

/// How far to go: `careful` leaves out every lambda that is constexpr by itself; it is the second
/// try when a copy with all probes does not compile.
enum class Care { normal, careful };

/// A function of at most so many operations, without loops and without calls of anything but such
/// functions, gets no probe unless a rule of the selection names it. Code of 100 operations without
/// loops mostly takes 10 to 16 ns, and more only where each waits for the one before; a pair of
/// probes takes 15 to 20 ns: below, it measures itself (docs/decisions/0063). `main` gets one
/// always.
constexpr unsigned small_operations = 100;

/// A function marked inline, without loops and of at most so many operations, gets none even if it
/// calls what the source does not define, unless it calls MPI or a function that has a probe. As
/// much as this GCC inlines at -O3 without being asked (max-inline-insns-auto), so its author
/// expects no call to be left; its own part is 2 to 5 ns, a quarter of a pair of probes
/// (docs/decisions/0119).
constexpr unsigned short_operations = 30;

/// One decision per function, in the same order. A probe keeps the compiler from turning a last
/// call into a jump, so functions that call last inside a cycle of calls are left out: their stack
/// would grow with every round.
std::vector<Decision> decide(const std::vector<Function>& functions, const Selection& selection,
                             Care care = Care::normal);

/// The names that rules may call a function by.
std::vector<std::string> names_of(const Function& function);

/// An obstacle in words; nothing for none.
const char* reason(Obstacle obstacle);

/// Whether a last call of the function may lead back to it, so that it must stay a jump.
bool must_jump(const std::vector<Function>& functions, unsigned index);

} // namespace andes
