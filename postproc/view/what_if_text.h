// Which routines limit the speedup, and what would be gained if routines were different: parts of step 3.
#pragma once
#include <string>

#include "postproc/analysis/serial_routines.h"
#include "postproc/analysis/what_if.h"
#include "postproc/view/terminal.h"

namespace andes::postproc {

/// Nothing where fractions are not known.
std::string serial_routines_text(const Terminal& terminal, const SerialRoutines& serial);

/// What the words of changes mean, as `andes report --if` takes them.
inline constexpr const char* words_of_changes =
    "xK: computation K times faster; balance: all ranks compute the mean; parallel: divided among the ranks, in sum no "
    "more than at the base; no-wait: no waits in its MPI calls";

/// Nothing where no change gains anything and none was asked for.
std::string what_if_text(const Terminal& terminal, const WhatIf& what_if);

} // namespace andes::postproc
