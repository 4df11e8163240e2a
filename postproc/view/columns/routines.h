// The heaviest call paths of a report, step 3: `routines` in JSON, the second table of its CSV. Percentages are of
// the time of all threads, medians over the repeats; which call paths there are is the analysis' (routines.h), how
// many people see is the view's.
#pragma once
#include "postproc/analysis/report.h"
#include "postproc/view/column.h"

namespace andes::postproc::columns {

/// Of the report's routines; it must outlive the list.
List<Routine> routines(const Report& report);

} // namespace andes::postproc::columns
