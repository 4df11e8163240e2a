// The grid of ranks and threads, step 1 of a report: `grid` in JSON. The splits of each number of cores, and the lines
// of the grid, over ranks at fixed threads and over threads at fixed ranks, of which people see the largest point.
#pragma once
#include "postproc/analysis/grid.h"
#include "postproc/view/column.h"

namespace andes::postproc::columns {

/// Of the splits of a number of cores, the fastest first.
List<Split> splits();

/// Lines of both kinds can stand in one table for people.
List<GridLine> lines();

} // namespace andes::postproc::columns
