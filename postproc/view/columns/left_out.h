// Functions without a probe and their estimated time: `left_out` in JSON; people see the heaviest.
#pragma once
#include "postproc/analysis/left_out.h"
#include "postproc/view/column.h"

namespace andes::postproc::columns {

List<LeftOutTime> left_out();

} // namespace andes::postproc::columns
