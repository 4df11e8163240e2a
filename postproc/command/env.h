// andes env: the steps of `andes run` as shell lines, for use by hand and under a batch system.
#pragma once
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace andes::postproc {

/// Adds "env" to `app`: prints shell lines, with --slurm a complete job script. `behind` is the
/// command behind --, if any.
void add_env(CLI::App& app, const std::vector<std::string>& behind, int& status);

} // namespace andes::postproc
