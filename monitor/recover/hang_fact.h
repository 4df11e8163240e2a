// A hang as the fact `hang` of a run file: a JSON array of its findings (docs/json.md, "Hangs").
#pragma once
#include <string>

#include "monitor/interface/hang.h"

namespace andes::monitor {

std::string hang_fact(const Hang& hang);

} // namespace andes::monitor
