// What the processor counted, step 3 of a report: by size and by call path, `processor` in JSON and two tables of
// CSV. Where it did not count, there is no table, and the view says why.
#pragma once
#include "postproc/analysis/processor.h"
#include "postproc/view/column.h"

namespace andes::postproc::columns {

/// Of sizes; `grid`: with several numbers of threads.
List<ProcessorPoint> processor_points(bool grid);

/// Of call paths, their own work.
List<ProcessorPath> processor_paths();

} // namespace andes::postproc::columns
