// Which routines limit the speedup, and what would be gained if routines were different: parts of step 3.
#pragma once
#include <string>

#include "postproc/analysis/serial_routines.h"
#include "postproc/analysis/what_if.h"
#include "postproc/view/terminal.h"

namespace andes::postproc {

/// Nothing where fractions are not known.
std::string serial_routines_text(const Terminal& terminal, const SerialRoutines& serial);

/// Nothing where no change gains anything and none was asked for.
std::string what_if_text(const Terminal& terminal, const WhatIf& what_if);

} // namespace andes::postproc
