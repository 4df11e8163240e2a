// Checks of `andes doctor`: what works, and what to do where something does not.
#pragma once
#include "postproc/inspect/check.h"
#include "postproc/view/column.h"

namespace andes::postproc::columns {

/// "works", "limited" or "fails".
const char* word_of(Check::Result result);

List<Check> checks();

} // namespace andes::postproc::columns
