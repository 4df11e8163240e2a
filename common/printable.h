// printable: the one place where text of others loses what a terminal would obey. Names, arguments, host
// names and file names come from measured programs, run files and the system; whatever of them is shown,
// in a table, a message or a drawn screen, has gone through here. Text in JSON and CSV too.
#pragma once
#include <string>
#include <string_view>

namespace andes {

/// Text that comes from a program, a file or the system, as a terminal may safely show it: controls,
/// marks that turn the direction of writing and bytes that are no UTF-8 are spelled out (\x1b, \u202e).
std::string printable(std::string_view text);

} // namespace andes
