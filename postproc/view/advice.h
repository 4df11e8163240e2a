// Advice: one or two plain sentences per step of the method, from the numbers above them.
#pragma once
#include <string>

#include "postproc/analysis/report.h"

namespace andes::postproc {

std::string advice_where(const Report& report);
std::string advice_how_far(const Report& report);
std::string advice_effort(const Report& report);
std::string advice_helped(const Comparison& comparison);

} // namespace andes::postproc
