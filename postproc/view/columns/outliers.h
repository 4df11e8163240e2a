// Repeats that are outliers: `noise.outliers` in JSON.
#pragma once
#include "postproc/analysis/noise.h"
#include "postproc/view/column.h"

namespace andes::postproc::columns {

List<Outlier> outliers();

} // namespace andes::postproc::columns
