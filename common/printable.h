// printable: the only place where control characters are removed from untrusted text. Names, arguments,
// host names and file names come from measured programs, run files and the system; all of them that are
// shown, in a table, a message or a drawn screen, pass through here. So does text in JSON and CSV.
#pragma once
#include <string>
#include <string_view>

namespace andes {

/// Text that comes from a program, a file or the system, as a terminal may safely show it: controls,
/// marks that change the writing direction and invalid UTF-8 bytes are spelled out (\x1b, \u202e).
std::string printable(std::string_view text);

} // namespace andes
