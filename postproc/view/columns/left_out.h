// Functions without a probe and their estimated time: `left_out` in JSON; people see the heaviest.
#pragma once
#include "postproc/analysis/left_out.h"
#include "postproc/view/column.h"

namespace andes::postproc::columns {

/// `marks_estimated`: in a text, where other rows are sampled.
List<LeftOutTime> left_out(bool marks_estimated = false);

} // namespace andes::postproc::columns
