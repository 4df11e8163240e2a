// andes run: the command line of a sweep.
#pragma once
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace andes::postproc {

/// Adds "run" to `app`. `behind` is what stands behind -- on the command line: the command to run;
/// it is never parsed as options. Sets `status`; throws Refusal for bad input.
void add_run(CLI::App& app, const std::vector<std::string>& behind, int& status);

} // namespace andes::postproc
