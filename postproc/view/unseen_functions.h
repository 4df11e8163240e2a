// What to do where the time of a run is in no function with a probe.
#pragma once
#include <string>

#include "postproc/analysis/report.h"

namespace andes::postproc {

/// In the infinitive, about "it", the program. Scripts are not compiled; of some programs most functions have probes.
std::string remedy_for_unseen_functions(const Report& report);

} // namespace andes::postproc
