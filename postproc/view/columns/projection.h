// Step 2 of a report, how far the program can go: the trend of its serial fraction, and the speedups projected from it,
// `trend` and `projection` in JSON. People see a line for each size, with the model that follows the trend beside the
// one that does not, and the trend in a sentence.
#pragma once
#include "postproc/analysis/scaling.h"
#include "postproc/view/column.h"

namespace andes::postproc::columns {

/// An object of its own in JSON; people see the verdict in the lines of a grid.
List<Trend> trend();

/// Of the projections of `scaling`, which must outlive the list. For people of those of Amdahl's law alone.
List<Projection> projections(const Scaling& scaling);

/// Whether it is one of Amdahl's law alone.
bool is_amdahl(const Projection& projection);

} // namespace andes::postproc::columns
