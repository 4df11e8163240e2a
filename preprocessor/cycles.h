// Cycles of calls: functions that call each other, directly or through others.
#pragma once
#include <vector>

#include "preprocessor/pipeline.h"

namespace andes::preprocessor {

/// For each function, whether a call that it makes last may lead back to it. Takes time in proportion to functions and
/// calls: a source with all of its headers has tens of thousands.
std::vector<bool> call_last_in_cycles(const std::vector<Function>& functions);

/// For each function, whether it may call itself, directly or through others.
std::vector<bool> call_themselves(const std::vector<Function>& functions);

} // namespace andes::preprocessor
