// What instructions and cycles tell, for people: part of step 3 of the report.
#pragma once
#include <string>

#include "postproc/analysis/processor.h"
#include "postproc/view/terminal.h"

namespace andes::postproc {

/// The sizes of a report and its call paths, or one line that says what cannot be told. `grid`: sizes are named by
/// ranks and threads.
std::string processor_text(const Terminal& terminal, const Processor& processor, bool grid);

} // namespace andes::postproc
