// The grid of ranks and threads for people: part of step 1 of the report.
#pragma once
#include <string>

#include "postproc/analysis/report.h"
#include "postproc/view/terminal.h"

namespace andes::postproc {

/// Times and efficiencies by ranks and threads, the splits of each number of cores, the lines of the grid.
std::string grid_text(const Terminal& terminal, const Grid& grid);

/// Which split to take, in a sentence.
std::string advice_grid(const Grid& grid);

} // namespace andes::postproc
