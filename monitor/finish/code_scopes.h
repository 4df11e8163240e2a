// Code scopes: of addresses of the running program, the functions of the source around them (scope_table.h). They
// divide samples of a function among those that the compiler has inlined into it (sampled_code.h).
//
// Invariant: only debug information of files in which that is a question is read, and for no longer than 0.5 % of the
// time the run took, nor than a second: what is not known by then stays undivided.
#pragma once
#include <cstdint>
#include <map>

#include "monitor/finish/scope_table.h"

namespace andes::monitor {

struct Process;

/// By address in memory.
using CodeScopes = std::map<std::uintptr_t, Scopes>;

/// Of all addresses that samples of this process and the probes of its call paths have in functions that hold the
/// probes of several.
CodeScopes find_code_scopes(const Process& process);

} // namespace andes::monitor
