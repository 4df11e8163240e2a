// What changes were promised to gain, and what was realised (analysis/promises.h).
#pragma once
#include "postproc/analysis/promises.h"
#include "postproc/view/column.h"

namespace andes::postproc::columns {

List<Promise> promises();

} // namespace andes::postproc::columns
