// What was left over at the end of a run, in JSON; people read sentences (left_overs_text.cc).
#pragma once
#include "postproc/analysis/left_overs.h"
#include "postproc/view/column.h"

namespace andes::postproc::columns {

List<NamedLeftOver> left_overs();

} // namespace andes::postproc::columns
