// The user's own file of rules (setting `rules`), checked before anything starts: at the end of the run
// it would be too late to correct it.
#pragma once
#include <string>

namespace andes::postproc {

/// Refuses a file that cannot be read or is not made of rules, with the place of the first error, and rules that read
/// events that will not be in the log. `path` empty: there is none. `events`: the setting.
void check_rule_file(const std::string& path, const std::string& events);

} // namespace andes::postproc
