// libandes-symbols.so, the only part of the monitor that needs libdw.
//
// Names for addresses of code: function, file and line, from the DWARF of the file with the code or of
// its separate debug file (build-id, .gnu_debuglink), else from its symbols, else `libfoo.so+0x1234`.
//
// Invariants: only compilation units with a wanted address are read; debug information that is missing,
// damaged or takes longer than ten seconds gives a poorer name, never a failure; no debuginfo is
// downloaded.
#pragma once
#include <string>

#include "monitor/finish/name_table.h"
#include "monitor/finish/scope_table.h"

namespace andes::monitor {

/// Fills in the places of all addresses.
void find_names(Names& names);

/// The functions around the addresses; nothing if the file has no debug information, or reading takes too long.
FileScopes find_scopes(const ScopeQuestion& question);

/// The name of a function or type without template arguments at its end: `push<int>`, `operator< <int>`.
std::string without_arguments(const std::string& name);

/// A readable name for a symbol: demangled, without parameters and template arguments; Fortran's
/// `__mod_MOD_proc` and `sub_` become mod::proc and sub, `MAIN__` becomes main.
std::string name_of_symbol(const std::string& symbol);

} // namespace andes::monitor
