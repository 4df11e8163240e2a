// Who waits for whom in a job that hangs (monitor/interface/hang.h), for people and as JSON.
#pragma once
#include <string>
#include <vector>

#include "monitor/interface/hang.h"
#include "postproc/view/json.h"
#include "postproc/view/terminal.h"

namespace andes::postproc {

/// Lines for the terminal, of at most `width` characters; 0: as long as they are.
std::vector<std::string> hang_text(const Terminal& terminal, const Hang& hang, int width = 0);

/// The list of findings (docs/json.md, "Hangs").
Json hang_json(const Hang& hang);

} // namespace andes::postproc
