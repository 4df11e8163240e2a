// How a command with C or C++ sources comes to be compiled: with all probes if that can be had, else with fewer, else
// with the compiler's hooks, else as it is written. Each of these is an attempt; their order, and what leads from one
// to the next, is the list in attempts.cc.
//
// Invariants: the command ends as it would without andes; the user sees the messages of one compilation, whichever
// attempt made the object, and none that is due to probes.
#pragma once
#include "preprocessor/compilation.h"

namespace andes::preprocessor {

/// Makes attempts until one ends the command. Returns its exit status.
int compile_by_attempts(const Compilation& compilation);

} // namespace andes::preprocessor
