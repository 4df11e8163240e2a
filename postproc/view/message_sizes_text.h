// How large messages were, for people.
#pragma once
#include <string>
#include <vector>

#include "postproc/analysis/flat.h"
#include "postproc/view/terminal.h"

namespace andes::postproc {

/// A table with a line for each class of sizes and a column for each row that has any; empty without messages.
std::string message_sizes_text(const Terminal& terminal, const std::vector<FlatRow>& rows);

} // namespace andes::postproc
