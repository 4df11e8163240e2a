// What andes cc says of a command that compiled: of each source, what has no probes, and why. Commands that fail are
// the compiler's to explain; andes is silent then.
#pragma once
#include <string>

#include "preprocessor/copy_set.h"

namespace andes::preprocessor {

/// Says what lacks probes where `copies` were the last ones. `why_none`: why nothing of the command has any; empty
/// where `copies` were compiled, or hold nothing to compile.
void report_missing_probes(const Compilation& compilation, const CopySet& copies, const std::string& why_none = "");

/// Says why sources have the compiler's hooks in the place of probes. `copies_failed`: there were copies, which did
/// not compile.
void report_hooks(const Compilation& compilation, bool copies_failed);

} // namespace andes::preprocessor
