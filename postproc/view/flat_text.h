// The flat profile in the report for people.
#pragma once
#include <string>

#include "postproc/analysis/report.h"
#include "postproc/view/terminal.h"

namespace andes::postproc {

/// A table of the functions with the longest exclusive times.
std::string report_functions(const Terminal& terminal, const Report& report);

} // namespace andes::postproc
