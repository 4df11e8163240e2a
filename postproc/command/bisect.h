// andes bisect. See bisect.cc.
#pragma once
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace andes::postproc {

/// Adds "bisect" to `app`. `behind` is what stands behind the first -- on the command line: the command that builds,
/// --, the command to run. Sets `status`; throws Refusal for bad input.
void add_bisect(CLI::App& app, const std::vector<std::string>& behind, int& status);

} // namespace andes::postproc
