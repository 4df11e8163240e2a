// Two builds before and after a change: `andes diff` and step 4 of a report. For programs `points`, `callpaths` and
// `causes`; people see two tables of the sizes, the times and, of whole runs, the scaling, both with "before -> after".
#pragma once
#include "postproc/analysis/comparison.h"
#include "postproc/view/column.h"

namespace andes::postproc::columns {

/// Of sizes that both builds have; for people their times. `arrow` stands between before and after.
List<ComparedPoint> compared_points(const Comparison& comparison, const char* arrow = "->");

/// For people: speedups and serial fractions, a table of their own, as both have intervals on both sides.
List<ComparedPoint> compared_scaling(const Comparison& comparison, const char* arrow);

/// Of the most changed call paths of the comparison, which must outlive the list.
List<ComparedPath> compared_paths(const Comparison& comparison);

/// The same of the causes of waiting.
List<ComparedCause> compared_causes(const Comparison& comparison);

} // namespace andes::postproc::columns
