// libandes-symbols.so, the only part of the monitor that needs libdw.
//
// Names for addresses of code: function, file and line, from the DWARF of the file they lie in or of its
// separate debug file (build-id, .gnu_debuglink), else from its symbols, else `libfoo.so+0x1234`.
//
// Invariants: only the compilation units that hold a wanted address are read; whatever is missing,
// damaged or takes longer than ten seconds is a poorer name, never a failure; no debuginfo is fetched from
// anywhere.
#pragma once
#include <string>

#include "monitor/finish/name_table.h"

namespace andes {

/// Fills in the places of all addresses.
void find_names(Names& names);

/// The name of a function or type without the template arguments it may end with: `push<int>`, `operator< <int>`.
std::string without_arguments(const std::string& name);

/// A symbol as one would say it: demangled, without parameters and template arguments; `__mod_MOD_proc`
/// and `sub_` of Fortran are mod::proc and sub, `MAIN__` is main.
std::string name_of_symbol(const std::string& symbol);

} // namespace andes
