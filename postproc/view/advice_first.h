// What to do first: of all that the program loses the largest part, where it is, and its remedy.
#pragma once
#include <string>

#include "postproc/analysis/report.h"

namespace andes::postproc {

/// One to three sentences: the report's line `First`, and `first` in JSON.
std::string advice_first(const Report& report);

} // namespace andes::postproc
