// Decides which functions get a probe. Pure: functions and selection in, decisions out.
#pragma once
#include <vector>

#include "preprocessor/pipeline.h"
#include "preprocessor/selection.h"

namespace andes::preprocessor {

/// How far to go: `careful` leaves out every lambda that is constexpr by itself; it is the second
/// try when a copy with all probes does not compile.
enum class Care { normal, careful };

/// One decision per function, in the same order. A probe keeps the compiler from turning a last
/// call into a jump, so functions that call last inside a cycle of calls are left out: their stack
/// would grow with every call.
std::vector<Decision> decide(const std::vector<Function>& functions, const Selection& selection,
                             Care care = Care::normal);

/// The names that rules may call a function by.
std::vector<std::string> names_of(const Function& function);

/// The text of an obstacle; null for none.
const char* reason(Obstacle obstacle);

/// For each function, whether a call that it makes last may lead back to it, so that it must stay a jump.
std::vector<bool> must_jump(const std::vector<Function>& functions);

} // namespace andes::preprocessor
