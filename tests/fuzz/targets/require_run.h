// Whether andes reads a run file; apart from targets that use the monitor's own structures, for both sides
// have a Profile.
#pragma once
#include <string>

namespace andes::fuzz {

/// Throws Refusal, which ends the target, unless `file` is a run file that is read as a whole.
void require_run(const std::string& file);

} // namespace andes::fuzz
