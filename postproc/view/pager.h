// The pager: shows text that is longer than the terminal, as git's does.
#pragma once
#include <string>

namespace andes::postproc {

/// Shows text in $ANDES_PAGER, else $PAGER, else less, if standard output is a terminal with fewer lines than the
/// text. False, and nothing is written, if not: a pager named `cat` or by an empty variable is none, nor is one that
/// cannot be started.
bool page(const std::string& text);

/// `andes --no-pager`: there is none.
void do_without_pager();

} // namespace andes::postproc
