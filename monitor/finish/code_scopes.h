// Code scopes: of addresses of the running program, the functions of the source around them (scope_table.h). They
// divide samples of a function among those that the compiler has inlined into it (sampled_code.h), and tell of
// functions without a probe (sampled_shares.h).
//
// Invariant: only debug information of files in which that is a question is read, and for no longer than 0.5 % of the
// time the run took, nor than a second: what is not known by then stays undivided.
#pragma once
#include <cstdint>
#include <map>

#include "monitor/finish/scope_table.h"

namespace andes::monitor {

struct Process;

/// As FileScopes, of all files; numbers are of one function in one file.
struct CodeScopes {
  std::map<std::uintptr_t, Scopes> around; // by address in memory
  std::map<std::uint64_t, ScopePlace> places;

  /// Those around an address, innermost first; null: none are known.
  const Scopes* at(std::uintptr_t address) const {
    const auto known = around.find(address);
    return known == around.end() || known->second.empty() ? nullptr : &known->second;
  }
};

/// Of all addresses that samples of this process and the probes of its call paths have in functions that hold the
/// probes of several, or `of_all` functions with probes.
CodeScopes find_code_scopes(const Process& process, bool of_all);

} // namespace andes::monitor
