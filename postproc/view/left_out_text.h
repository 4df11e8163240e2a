// The table of functions without a probe, for people.
#pragma once
#include <string>
#include <vector>

#include "postproc/analysis/left_out.h"
#include "postproc/view/terminal.h"

namespace andes::postproc {

/// Those with at least one per cent, the ten heaviest, below a title; empty if there are none. `indent`: blanks.
std::string left_out_text(const Terminal& terminal, const std::vector<LeftOutTime>& times, int indent);

} // namespace andes::postproc
